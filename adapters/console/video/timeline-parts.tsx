import type { ComponentChildren } from 'preact';
import { number, time } from '../format.js';
import { axisHeight, laneHeight } from './draw.js';
import type { Lane } from './lanes.js';
import { spanAt } from './spans.js';
import type { Viewport } from './viewport.js';

/** Where the pointer is, in pixels from the corner of the drawing. */
export interface Pointer {
  readonly x: number;
  readonly y: number;
}

/** The time and the lane under the pointer, and which of its intervals that is. */
export const Tooltip = ({
  pointer: { x, y },
  lanes,
  viewport,
  top,
  width,
  height,
}: {
  readonly pointer: Pointer;
  readonly lanes: ReadonlyArray<Lane>;
  readonly viewport: Viewport;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}) => {
  const at = viewport.start + (x / width) * (viewport.end - viewport.start);
  const lane = y < axisHeight ? undefined : lanes[Math.floor((y - axisHeight + top) / laneHeight)];
  const span = lane === undefined ? null : spanAt(lane.spans, at);
  const caption = lane?.captions.find(({ start, end }) => start <= at && end > at);
  const side = x > width / 2 ? { right: `${width - x + 12}px` } : { left: `${x + 12}px` };
  // The lower half has no room below.
  const isLow = y > height / 2;
  const place = { ...side, top: `${y + top + (isLow ? -8 : 14)}px`, transform: isLow ? 'translateY(-100%)' : 'none' };
  return (
    <div class="tooltip" aria-hidden="true" style={place}>
      <strong>{time(at, true)}</strong>
      {lane !== undefined && span !== null && (
        <div>
          {lane.name} {lane.kind === 'face' ? 'is visible' : 'talks'} from {time(span.start, true)} to{' '}
          {time(span.end, true)}
        </div>
      )}
      {caption !== undefined && <div>on the screen: {caption.text}</div>}
    </div>
  );
};

const buttons: ReadonlyArray<readonly [key: string, text: string, label: string]> = [
  ['+', '+', 'Zoom in'],
  ['-', '−', 'Zoom out'],
  ['0', 'Show all', 'Show all'],
];

export const ZoomButtons = ({ onKey }: { readonly onKey: (key: string) => void }) => (
  <span class="actions">
    {buttons.map(([key, text, label]) => (
      <button key={key} type="button" class="small" aria-label={label} title={label} onClick={() => onKey(key)}>
        {text}
      </button>
    ))}
  </span>
);

/** What the colours and lines mean, and the keys. */
export const Legend = ({ viewport }: { readonly viewport: Viewport }) => {
  const tenths = viewport.end - viewport.start < 10;
  return (
    <details class="legend">
      <summary>
        {time(viewport.start, tenths)} to {time(viewport.end, tenths)} · what it shows, and its keys
      </summary>
      <p>
        A bar: a face is visible. Dark: it talks; light: it is silent. A line above it: a caption near the face. ♪: a
        voice. A face and its voice have the same colour; grey has no voice yet. The red line: the selected time.
      </p>
      <p>
        Arrow keys scroll, + and − zoom, 0 shows everything, Home and End jump to the ends, Enter selects the middle.
        Dragging scrolls. Mouse wheel: Ctrl zooms, Shift scrolls. p plays and pauses.
      </p>
    </details>
  );
};

interface FindProps {
  readonly searched: string;
  readonly onSearch: (text: string) => void;
  readonly found: number;
  readonly all: number;
  /** Jumps to the first lane that was found. */
  readonly onEnter: () => void;
  readonly children: ComponentChildren;
}

/** A search field that filters the lanes by name. */
export const FindLane = ({ searched, onSearch, found, all, onEnter, children }: FindProps) => (
  <form
    class="find"
    role="search"
    onSubmit={(event) => {
      event.preventDefault();
      onEnter();
    }}
  >
    <input
      type="search"
      aria-label="Find a face or a speaker"
      placeholder="Find a face or a speaker"
      value={searched}
      onInput={(event) => onSearch(event.currentTarget.value)}
    />
    <span class="quiet" role="status">
      {number(found)} of {number(all)}
    </span>
    {children}
  </form>
);

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
