import { time } from '../format.js';
import { eachVisible, type Lane } from './lanes.js';
import { marks, type Viewport } from './viewport.js';

export const laneHeight = 26;
export const axisHeight = 22;

/** What is drawn. */
export interface Scene {
  readonly lanes: ReadonlyArray<Lane>;
  readonly viewport: Viewport;
  /** How far the lanes are scrolled, in pixels. */
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** The playback position in seconds; null if no time was selected yet. */
  readonly playhead: number | null;
  readonly isDark: boolean;
}

const colourOf = (hue: number | null, isDark: boolean): string => {
  if (hue === null) return isDark ? '#76837b' : '#8b968f';
  return `hsl(${hue} 52% ${isDark ? 62 : 42}%)`;
};

/** Draws a label, cut off at the end of its interval so that it does not run into the next one. */
const drawLabel = (
  context: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  width: number,
  isDark: boolean,
): void => {
  context.save();
  context.beginPath();
  context.rect(x, y - laneHeight, width, 2 * laneHeight);
  context.clip();
  const [ground, ink] = isDark ? ['#121614', '#e9eeea'] : ['#ffffff', '#1b211e'];
  context.globalAlpha = 0.75;
  context.fillStyle = ground;
  context.fillRect(x, y - 9, context.measureText(text).width + 4, 11);
  context.globalAlpha = 1;
  context.fillStyle = ink;
  context.fillText(text, x + 2, y);
  context.restore();
};

const drawLane = (context: CanvasRenderingContext2D, lane: Lane, y: number, scene: Scene): void => {
  const { viewport, width, isDark } = scene;
  const height = lane.kind === 'face' ? 12 : 8;
  const top = y + (laneHeight - height) / 2;
  context.fillStyle = colourOf(lane.hue, isDark);
  context.globalAlpha = lane.talking === null ? 0.9 : 0.35;
  eachVisible(lane.spans, viewport, width, (x, wide) => context.fillRect(x, top, wide, height));
  if (lane.talking !== null)
    eachVisible(lane.talking, viewport, width, (x, wide, weight) => {
      context.globalAlpha = 0.65 * weight;
      context.fillRect(x, top, wide, height);
    });
  context.globalAlpha = 1;
  if (lane.captions.length === 0) return;
  const scale = width / (viewport.end - viewport.start);
  context.fillStyle = isDark ? '#e9eeea' : '#1b211e';
  context.font = '10px system-ui, sans-serif';
  let free = 0;
  for (const { start, end, text } of lane.captions) {
    const x = (start - viewport.start) * scale;
    if (end < viewport.start || start > viewport.end || x < free) continue;
    context.fillRect(x, top - 3, Math.max((end - start) * scale, 1), 2);
    const [left, right] = [Math.max(x, 0), Math.min((end - viewport.start) * scale, width)];
    if (right - left > 40) drawLabel(context, text.slice(0, 80), left, top + height - 2, right - left, isDark);
    free = x + 40;
  }
};

const drawAxis = (context: CanvasRenderingContext2D, { viewport, width, height, isDark }: Scene): void => {
  const scale = width / (viewport.end - viewport.start);
  const short = viewport.end - viewport.start < 10;
  context.font = '11px system-ui, sans-serif';
  for (const mark of marks(viewport, width / 90)) {
    const x = Math.round((mark - viewport.start) * scale) + 0.5;
    context.fillStyle = isDark ? '#2e3833' : '#dcdfd8';
    context.fillRect(x, axisHeight, 1, height);
    context.fillStyle = isDark ? '#9fada5' : '#59645e';
    context.fillText(time(mark, short), x + 3, 14);
  }
};

/** Draws the visible part of the timeline. Lanes and intervals outside it are skipped. */
export const draw = (context: CanvasRenderingContext2D, scene: Scene): void => {
  const { lanes, viewport, top, width, height, playhead, isDark } = scene;
  context.clearRect(0, 0, width, height);
  drawAxis(context, scene);
  const first = Math.floor(top / laneHeight);
  const last = Math.min(lanes.length, Math.ceil((top + height) / laneHeight));
  context.save();
  context.beginPath();
  context.rect(0, axisHeight, width, height);
  context.clip();
  for (let at = first; at < last; at += 1) {
    const lane = lanes[at];
    if (lane !== undefined) drawLane(context, lane, axisHeight + at * laneHeight - top, scene);
  }
  context.restore();
  if (playhead === null) return;
  const x = ((playhead - viewport.start) / (viewport.end - viewport.start)) * width;
  if (x < 0 || x > width) return;
  const label = time(playhead, viewport.end - viewport.start < 60);
  const wide = context.measureText(label).width + 6;
  const left = Math.min(x, width - wide);
  context.fillStyle = isDark ? '#ff9c92' : '#a3261c';
  context.fillRect(Math.round(x), 0, 1.5, height);
  context.fillRect(left, 0, wide, 15);
  context.font = '11px system-ui, sans-serif';
  context.fillStyle = isDark ? '#121614' : '#ffffff';
  context.fillText(label, left + 3, 11);
};
