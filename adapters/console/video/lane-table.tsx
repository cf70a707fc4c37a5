import { time } from '../format.js';
import type { Lane } from './lanes.js';

const secondsIn = ({ spans: { starts, ends } }: Lane): number =>
  starts.reduce((sum, start, at) => sum + (ends[at] ?? start) - start, 0);

/** The content of the timeline as a table for screen readers. */
export const LaneTable = ({ lanes }: { readonly lanes: ReadonlyArray<Lane> }) => (
  <div class="hidden">
    <table>
      <caption>When each face is visible and each speaker talks</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Intervals</th>
          <th scope="col">First at</th>
          <th scope="col">Total</th>
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
