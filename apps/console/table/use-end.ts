import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Nearer to the end than this, in pixels, who scrolls down has come back to it. */
const NEAR_PX = 24;
/** A page that a key turns goes on scrolling for less than this, in milliseconds, wherever it is put meanwhile. */
const TURNING_MS = 1_000;
const UPWARDS: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home']);

/**
 * Keeps a list at its end while it grows or its box changes. Only the reader takes it away: by wheel, touch, key, or the scroll bar. Scrolling
 * that nobody asked for does not.
 * @param count the number of lines
 */
export function useEnd(box: RefObject<HTMLElement | null>, count: number): readonly [isAtEnd: boolean, toEnd: () => void] {
  const [isAtEnd, setAtEnd] = useState(true);
  const isKept = useRef(true);
  const toEnd = useCallback(() => {
    isKept.current = true;
    setAtEnd(true);
    const { current } = box;
    if (current) current.scrollTop = current.scrollHeight;
  }, [box]);
  useLayoutEffect(() => {
    if (isKept.current || count === 0) toEnd();
  }, [count, toEnd]);
  useEffect(() => {
    const list = box.current!;
    const leave = (): void => {
      if (list.scrollTop <= 0) return; // it cannot go up
      isKept.current = false;
      setAtEnd(false);
    };
    const observer = new ResizeObserver(() => isKept.current && toEnd());
    observer.observe(list);
    observer.observe(list.lastElementChild!);
    const unlisten = listenTo(list, leave, () => isKept.current || toEnd());
    return () => (observer.disconnect(), unlisten());
  }, [box, toEnd]);
  const goToEnd = useCallback(() => {
    toEnd();
    box.current?.addEventListener('scrollend', () => isKept.current && toEnd(), { signal: AbortSignal.timeout(TURNING_MS) });
  }, [box, toEnd]);
  return [isAtEnd, goToEnd];
}

/** Hears whether the reader goes up in a list, and comes back to its end. */
function listenTo(list: HTMLElement, leave: () => void, comeBack: () => void): () => void {
  const closing = new AbortController();
  const options = { signal: closing.signal, passive: true };
  let touched = 0;
  let isDragged = false;
  let top = list.scrollTop;
  list.addEventListener('wheel', ({ deltaY }) => deltaY < 0 && leave(), options);
  list.addEventListener('keydown', ({ key, shiftKey }) => (UPWARDS.has(key) || (key === ' ' && shiftKey)) && leave(), options);
  list.addEventListener('touchstart', ({ touches }) => (touched = touches[0]!.clientY), options);
  list.addEventListener('touchmove', ({ touches }) => touches[0]!.clientY > touched && leave(), options);
  // what is pressed beside the lines is the scroll bar
  list.addEventListener('pointerdown', ({ target, offsetX }) => (isDragged = target === list && offsetX >= list.clientWidth), options);
  for (const done of ['pointerup', 'pointermove'] as const) addEventListener(done, ({ buttons }) => (isDragged &&= buttons > 0), options);
  list.addEventListener(
    'scroll',
    () => {
      const isUp = list.scrollTop < top;
      top = list.scrollTop;
      if (isUp && isDragged) leave();
      else if (!isUp && list.scrollHeight - top - list.clientHeight < NEAR_PX) comeBack();
    },
    options,
  );
  return () => closing.abort();
}
