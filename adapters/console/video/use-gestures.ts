import { useEffect } from 'preact/hooks';
import { type Viewport, panned, zoomed } from './viewport.js';

/** Scrolls and zooms the view with the wheel and with touch. Ctrl and wheel zoom, which is also what a touchpad pinch sends. */
export const useGestures = (
  canvas: { readonly current: HTMLCanvasElement | null },
  whole: Viewport,
  change: (next: (viewport: Viewport) => Viewport) => void,
): void => {
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const timeAt = (x: number, { start, end }: Viewport): number => {
      const { left, width } = element.getBoundingClientRect();
      return start + ((x - left) / width) * (end - start);
    };
    const wheel = (event: WheelEvent): void => {
      const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
      if (!event.ctrlKey && !sideways) return;
      event.preventDefault();
      if (event.ctrlKey)
        change((view) => zoomed(view, Math.exp(-event.deltaY / 200), timeAt(event.clientX, view), whole));
      else change((view) => panned(view, (event.deltaX || event.deltaY) / element.clientWidth, whole));
    };
    const touches = new Map<number, number>();
    const down = (event: PointerEvent): void => void touches.set(event.pointerId, event.clientX);
    const up = (event: PointerEvent): void => void touches.delete(event.pointerId);
    const move = (event: PointerEvent): void => {
      const before = touches.get(event.pointerId);
      if (before === undefined) return;
      const other = [...touches].find(([id]) => id !== event.pointerId)?.[1];
      touches.set(event.pointerId, event.clientX);
      if (other === undefined) change((view) => panned(view, (before - event.clientX) / element.clientWidth, whole));
      else {
        const factor = Math.abs(event.clientX - other) / Math.max(1, Math.abs(before - other));
        change((view) => zoomed(view, Math.max(0.5, factor), timeAt(other, view), whole));
      }
    };
    element.addEventListener('wheel', wheel, { passive: false });
    element.addEventListener('pointerdown', down);
    addEventListener('pointermove', move);
    addEventListener('pointerup', up);
    addEventListener('pointercancel', up);
    return () => {
      element.removeEventListener('wheel', wheel);
      element.removeEventListener('pointerdown', down);
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', up);
      removeEventListener('pointercancel', up);
    };
  }, [canvas, whole, change]);
};
