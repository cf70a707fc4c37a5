import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { time } from '../format.js';
import { axisHeight, draw, laneHeight } from './draw.js';
import type { Lane } from './lanes.js';
import { FindLane, LaneTable, Legend, type Pointer, Tooltip, ZoomButtons } from './timeline-parts.js';
import { useGestures } from './use-gestures.js';
import { type Viewport, following, panned, within, zoomed } from './viewport.js';

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
    const changed = (): void => setDark(dark.matches);
    dark.addEventListener('change', changed);
    return () => dark.removeEventListener('change', changed);
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
const nextStart = ({ spans: { starts } }: Lane, time: number | null): number | undefined =>
  starts.find((start) => start > (time ?? -1)) ?? starts[0];

/** The timeline with its search field. The visible part is drawn at most once per animation frame. */
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
  useGestures(canvas, whole, setViewport);

  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const context = canvas.current?.getContext('2d');
      if (context === null || context === undefined) return;
      const ratio = devicePixelRatio;
      const { width, height } = size;
      if (context.canvas.width !== Math.round(width * ratio) || context.canvas.height !== Math.round(height * ratio)) {
        context.canvas.width = Math.round(width * ratio);
        context.canvas.height = Math.round(height * ratio);
      }
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      draw(context, { lanes, viewport, top, width, height, playhead, isDark });
    });
    return () => cancelAnimationFrame(frame);
  }, [lanes, viewport, top, size, playhead, isDark]);

  const isShort = viewport.end - viewport.start < 10;
  const first = Math.max(0, Math.floor(top / laneHeight) - 2);
  const shown = lanes.slice(first, first + Math.ceil(size.height / laneHeight) + 4);
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
  const table = useMemo(() => <LaneTable lanes={lanes} />, [lanes]);
  const jump = (lane: Lane | undefined): void => {
    const next = lane === undefined ? undefined : nextStart(lane, playhead);
    if (next !== undefined) onSeek(next);
  };
  return (
    <div class="timeline">
      <FindLane
        searched={searched}
        onSearch={setSearched}
        found={lanes.length}
        all={all.length}
        onEnter={() => jump(lanes[0])}
      >
        <ZoomButtons onKey={(key) => setViewport((view) => viewportAfter(key, view, whole) ?? view)} />
      </FindLane>
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
          <div class="heads" aria-hidden="true">
            {shown.map((lane, at) => (
              <button
                key={lane.key}
                type="button"
                tabIndex={-1}
                class={`head ${lane.kind}`}
                style={{ top: `${axisHeight + (first + at) * laneHeight}px`, height: `${laneHeight}px` }}
                title={`${lane.name}: go to the next interval`}
                onClick={() => jump(lane)}
              >
                {lane.name}
              </button>
            ))}
          </div>
          <canvas
            ref={canvas}
            aria-hidden="true"
            onPointerDown={(event) => void (pressedAt.current = event.clientX)}
            onPointerMove={({ offsetX: x, offsetY: y }) => setPointer({ x, y })}
            onPointerLeave={() => setPointer(null)}
            onClick={onClick}
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
