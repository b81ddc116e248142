import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** The address follows once the moment has rested for so long: browsers refuse more than a hundred writes in ten seconds. */
const REST_MS = 150;

export interface MomentShown {
  /** The position, from 1; undefined: now. */
  readonly at: number | undefined;
  goTo(at: number | undefined): void;
  /** Goes back to the moment of the address. */
  settle(): void;
}

const written = (to: number | undefined): string | null => (to === undefined ? null : String(to));

/**
 * The moment that the page shows: that of the address, until the person moves on. From then on the address only follows; when it changes to
 * what was not written here, it counts again.
 * @param inAddress anything but a position means now
 * @param write puts a moment into the address
 */
export function useMoment(inAddress: string | null, write: (at: string | undefined) => void): MomentShown {
  const [moved, setMoved] = useState<{ readonly to: number | undefined }>();
  const wrote = useRef(inAddress);
  useLayoutEffect(() => {
    if (inAddress !== wrote.current) setMoved(undefined);
    wrote.current = inAddress;
  }, [inAddress]);
  useEffect(() => {
    if (!moved) return undefined;
    const timer = setTimeout(() => {
      wrote.current = written(moved.to);
      write(wrote.current ?? undefined);
    }, REST_MS);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- the function is new at every rendering, and the same in effect
  }, [moved]);
  const goTo = useCallback((to: number | undefined) => setMoved({ to }), []);
  const given = Number(inAddress ?? NaN);
  const addressed = Number.isSafeInteger(given) && given >= 1 ? given : undefined;
  return { at: moved ? moved.to : addressed, goTo, settle: () => setMoved(undefined) };
}
