import type { TargetedPointerEvent, TargetedWheelEvent } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Form } from '../fields.js';
import { number, time } from '../format.js';
import { Table } from '../ui.js';
import { type Scene, axisHeight, draw, laneHeight } from './draw.js';
import { spanAt, type Lane } from './lanes.js';
import { following, panned, type Viewport, within, zoomed } from './viewport.js';

type ChangeView = (next: (viewport: Viewport) => Viewport) => void;

/**
 * The handlers that scroll and zoom the view with the wheel, by dragging, and with two fingers. Ctrl and wheel zoom, which
 * is also what a touchpad pinch sends.
 */
const useGestures = (whole: Viewport, change: ChangeView) => {
  const pressed = useRef(new Map<number, number>());
  const zoom = (canvas: HTMLElement, factor: number, x: number): void => {
    const { left, width } = canvas.getBoundingClientRect();
    change((view) => zoomed(view, factor, view.start + ((x - left) / width) * (view.end - view.start), whole));
  };
  const scroll = (canvas: HTMLElement, pixels: number): void =>
    change((view) => panned(view, pixels / canvas.clientWidth, whole));
  const release = ({ pointerId }: PointerEvent): void => void pressed.current.delete(pointerId);
  return {
    onWheel: (event: TargetedWheelEvent<HTMLCanvasElement>): void => {
      const { currentTarget, deltaX, deltaY, shiftKey, ctrlKey } = event;
      if (!ctrlKey && !shiftKey && Math.abs(deltaX) <= Math.abs(deltaY)) return;
      event.preventDefault();
      if (ctrlKey) zoom(currentTarget, Math.exp(-deltaY / 200), event.clientX);
      else scroll(currentTarget, deltaX || deltaY);
    },
    onPointerDown: ({ currentTarget, pointerId, clientX }: TargetedPointerEvent<HTMLCanvasElement>): void => {
      currentTarget.setPointerCapture(pointerId);
      pressed.current.set(pointerId, clientX);
    },
    onPointerMove: ({ currentTarget, pointerId, clientX }: TargetedPointerEvent<HTMLCanvasElement>): void => {
      const before = pressed.current.get(pointerId);
      if (before === undefined) return;
      const other = [...pressed.current].find(([id]) => id !== pointerId)?.[1];
      pressed.current.set(pointerId, clientX);
      if (other === undefined) return scroll(currentTarget, before - clientX);
      zoom(currentTarget, Math.max(0.5, Math.abs(clientX - other) / Math.max(1, Math.abs(before - other))), other);
    },
    onPointerUp: release,
    onPointerCancel: release,
  };
};

/** Where the pointer is, in pixels from the corner of the drawing. */
interface Pointer {
  readonly x: number;
  readonly y: number;
}

/** The time and the lane under the pointer, and which of its intervals that is. */
const Tooltip = ({
  pointer: { x, y },
  lanes,
  viewport,
  top,
  width,
  height,
}: Pick<Scene, 'lanes' | 'viewport' | 'top' | 'width' | 'height'> & { readonly pointer: Pointer }) => {
  const at = viewport.start + (x / width) * (viewport.end - viewport.start);
  const lane = y < axisHeight ? undefined : lanes[Math.floor((y - axisHeight + top) / laneHeight)];
  const span = lane === undefined ? undefined : spanAt(lane.spans, at);
  const caption = lane?.captions.find(({ start, end }) => start <= at && end > at);
  const side = x > width / 2 ? { right: `${width - x + 12}px` } : { left: `${x + 12}px` };
  // The lower half has no room below.
  const isLow = y > height / 2;
  const place = { ...side, top: `${y + top + (isLow ? -8 : 14)}px`, transform: isLow ? 'translateY(-100%)' : 'none' };
  return (
    <div class="tooltip" aria-hidden="true" style={place}>
      <strong>{time(at, true)}</strong>
      {lane !== undefined && span !== undefined && (
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

/** What the colours and lines mean, and the keys. */
const Legend = ({ viewport }: { readonly viewport: Viewport }) => {
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

const secondsIn = ({ spans }: Lane): number => spans.reduce((sum, { start, end }) => sum + end - start, 0);

/** The content of the timeline as a table for screen readers. */
const LaneTable = ({ lanes }: { readonly lanes: ReadonlyArray<Lane> }) => (
  <div class="hidden">
    <Table
      caption="When each face is visible and each speaker talks"
      rows={lanes}
      keyOf={({ key }) => key}
      columns={[
        { title: 'Name', kind: 'heading', of: ({ name, kind }) => `${name}, ${kind}` },
        { title: 'Intervals', of: ({ spans }) => spans.length },
        { title: 'First at', of: ({ spans }) => time(spans[0]?.start ?? 0) },
        { title: 'Total', of: (lane) => time(secondsIn(lane)) },
      ]}
    />
  </div>
);

/** The names of the lanes, beside the drawing. */
const Heads = ({ lanes, onPress }: { readonly lanes: ReadonlyArray<Lane>; readonly onPress: (lane: Lane) => void }) => (
  <div class="heads" aria-hidden="true">
    {lanes.map((lane) => (
      <button
        key={lane.key}
        type="button"
        tabIndex={-1}
        class={`head ${lane.kind}`}
        title={`${lane.name}: go to the next interval`}
        onClick={() => onPress(lane)}
      >
        {lane.name}
      </button>
    ))}
  </div>
);

interface Props {
  readonly lanes: ReadonlyArray<Lane>;
  /** The start and end of the evidence, in seconds. */
  readonly start: number;
  readonly duration: number;
  /** The selected time; null before one is selected. */
  readonly playhead: number | null;
  readonly onSeek: (seconds: number) => void;
}

const viewportAfter = (key: string, viewport: Viewport, whole: Viewport): Viewport | null => {
  const middle = (viewport.start + viewport.end) / 2;
  switch (key) {
    case 'ArrowLeft':
      return panned(viewport, -0.2, whole);
    case 'ArrowRight':
      return panned(viewport, 0.2, whole);
    case '+':
    case '=':
      return zoomed(viewport, 1.5, middle, whole);
    case '-':
      return zoomed(viewport, 1 / 1.5, middle, whole);
    case 'Home':
      return { start: whole.start, end: whole.start + viewport.end - viewport.start };
    case 'End':
      return within({ start: whole.end - (viewport.end - viewport.start), end: whole.end }, whole);
    case '0':
      return whole;
    default:
      return null;
  }
};

const dark = matchMedia('(prefers-color-scheme: dark)');

const useIsDark = (): boolean => {
  const [isDark, setDark] = useState(dark.matches);
  useEffect(() => {
    const stop = new AbortController();
    dark.addEventListener('change', ({ matches }) => setDark(matches), stop);
    return () => stop.abort();
  }, []);
  return isDark;
};

/** The size of the drawing, beside the names of the lanes. */
const useSize = (scroller: { readonly current: HTMLElement | null }) => {
  const [size, setSize] = useState({ width: 600, height: 300 });
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      const heads = element.querySelector('.heads')?.clientWidth ?? 0;
      setSize({ width: Math.max(50, element.clientWidth - heads), height: element.clientHeight });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return size;
};

/** The start of the next interval of a lane after a time; of its first interval if there is none. */
const nextStart = ({ spans }: Lane, time: number | null): number | undefined =>
  (spans.find(({ start }) => start > (time ?? -1)) ?? spans[0])?.start;

/** Draws the visible part when it has changed, at most once per animation frame. */
const useDrawing = (canvas: { readonly current: HTMLCanvasElement | null }, scene: Scene): void => {
  const drawn: ReadonlyArray<unknown> = Object.values(scene);
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const context = canvas.current?.getContext('2d');
      if (context === null || context === undefined) return;
      context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
      draw(context, scene);
    });
    return () => cancelAnimationFrame(frame);
    // A screen with another number of pixels makes another, empty canvas.
  }, [...drawn, devicePixelRatio]);
};

/** The timeline with its search field. */
const TimelineView = ({ lanes: all, start, duration, playhead, onSeek }: Props) => {
  const [searched, setSearched] = useState('');
  const lanes = useMemo(
    () => (searched === '' ? all : all.filter(({ name }) => name.toLowerCase().includes(searched.toLowerCase()))),
    [all, searched],
  );
  const isDark = useIsDark();
  const canvas = useRef<HTMLCanvasElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const whole = useMemo<Viewport>(() => ({ start, end: duration }), [start, duration]);
  const [viewport, setViewport] = useState(whole);
  const [pointer, setPointer] = useState<Pointer | null>(null);
  const size = useSize(scroller);
  const [top, setTop] = useState(0);
  useEffect(() => setViewport(whole), [whole]);
  useEffect(() => {
    if (playhead !== null) setViewport((view) => following(view, playhead, whole));
  }, [playhead, whole]);
  const gestures = useGestures(whole, setViewport);

  useDrawing(canvas, { lanes, viewport, top, ...size, playhead, isDark });

  const isShort = viewport.end - viewport.start < 10;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && event.target === scroller.current) return onSeek((viewport.start + viewport.end) / 2);
    const next = viewportAfter(event.key, viewport, whole);
    if (next === null || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    setViewport(next);
  };
  const pressedAt = useRef(0);
  const onClick = (event: MouseEvent): void => {
    // Dragging scrolls; it does not also select a time.
    if (Math.abs(event.clientX - pressedAt.current) > 4) return;
    const { left, width } = (canvas.current ?? document.body).getBoundingClientRect();
    onSeek(viewport.start + ((event.clientX - left) / width) * (viewport.end - viewport.start));
  };
  const jump = (lane: Lane | undefined): void => {
    const next = lane === undefined ? undefined : nextStart(lane, playhead);
    if (next !== undefined) onSeek(next);
  };
  const heads = useMemo(() => <Heads lanes={lanes} onPress={jump} />, [lanes, playhead]);
  const table = useMemo(() => <LaneTable lanes={lanes} />, [lanes]);
  return (
    <div class="timeline">
      <Form class="find" role="search" onSubmit={() => jump(lanes[0])}>
        <input
          type="search"
          aria-label="Find a face or a speaker"
          placeholder="Find a face or a speaker"
          value={searched}
          onInput={(event) => setSearched(event.currentTarget.value)}
        />
        <span class="quiet" role="status">
          {number(lanes.length)} of {number(all.length)}
        </span>
        <span class="actions">
          {buttons.map(([key, text, label]) => (
            <button
              key={key}
              type="button"
              class="small"
              aria-label={label}
              title={label}
              onClick={() => setViewport((view) => viewportAfter(key, view, whole) ?? view)}
            >
              {text}
            </button>
          ))}
        </span>
      </Form>
      {lanes.length === 0 && <p class="quiet">No face and no speaker has a name with “{searched}” in it.</p>}
      <div
        class="lanes"
        ref={scroller}
        tabIndex={0}
        role="group"
        style={{ height: `${all.length * laneHeight + axisHeight}px` }}
        aria-label={`Timeline from ${time(viewport.start, isShort)} to ${time(viewport.end, isShort)}. Arrow keys scroll, plus and minus zoom, 0 shows everything, Enter selects the time in the middle.`}
        onKeyDown={onKeyDown}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      >
        <div class="content" style={{ height: `${lanes.length * laneHeight + axisHeight}px` }}>
          {heads}
          <canvas
            ref={canvas}
            aria-hidden="true"
            {...gestures}
            onPointerDown={(event) => {
              pressedAt.current = event.clientX;
              gestures.onPointerDown(event);
            }}
            onPointerMove={(event) => {
              setPointer({ x: event.offsetX, y: event.offsetY });
              gestures.onPointerMove(event);
            }}
            onPointerLeave={() => setPointer(null)}
            onClick={onClick}
            width={Math.round(size.width * devicePixelRatio)}
            height={Math.round(size.height * devicePixelRatio)}
            style={{ width: `${size.width}px`, height: `${size.height}px` }}
          />
          {pointer !== null && (
            <div class="overlay">
              <Tooltip pointer={pointer} lanes={lanes} viewport={viewport} top={top} {...size} />
            </div>
          )}
        </div>
      </div>
      <Legend viewport={viewport} />
      {table}
    </div>
  );
};

/** The timeline, or a note if there is nothing to show. */
export const Timeline = (props: Props) =>
  props.lanes.length === 0 ? (
    <p class="quiet">Nothing to show yet: this video has no analysis with faces or speakers.</p>
  ) : (
    <TimelineView {...props} />
  );
