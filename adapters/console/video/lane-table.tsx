import { time } from '../format.js';
import type { Lane } from './lanes.js';

const secondsIn = ({ spans: { starts, ends } }: Lane): number =>
  starts.reduce((sum, start, at) => sum + (ends[at] ?? start) - start, 0);

/** What the timeline shows, for those who do not see it. */
export const LaneTable = ({ lanes }: { readonly lanes: ReadonlyArray<Lane> }) => (
  <div class="hidden">
    <table>
      <caption>When who is to be seen or speaks</caption>
      <thead>
        <tr>
          <th scope="col">Who</th>
          <th scope="col">Stretches</th>
          <th scope="col">First at</th>
          <th scope="col">In all</th>
        </tr>
      </thead>
      <tbody>
        {lanes.map((lane) => (
          <tr key={lane.key}>
            <th scope="row">
              {lane.name}, {lane.kind}
            </th>
            <td>{lane.spans.starts.length}</td>
            <td>{time(lane.spans.starts[0] ?? 0)}</td>
            <td>{time(secondsIn(lane))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
