import { useCallback, useEffect, useState } from 'react';

const KEY = 'maw.hide-role';

/**
 * Whether all that tells the own role is covered, at every table of this browser: the style hides what is marked `data-private` or
 * `data-secret`.
 * @param isOpen there is nothing to cover: nobody plays here, or the table is over
 */
export function usePrivacy(isOpen: boolean): readonly [isHidden: boolean, toggle: () => void] {
  const [isHidden, setHidden] = useState(() => localStorage.getItem(KEY) !== null);
  useEffect(() => {
    document.documentElement.toggleAttribute('data-hide-private', isHidden && !isOpen);
    return () => document.documentElement.removeAttribute('data-hide-private');
  }, [isHidden, isOpen]);
  const toggle = useCallback(() => {
    setHidden((was) => {
      if (was) localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, 'yes');
      return !was;
    });
  }, []);
  return [isHidden && !isOpen, toggle];
}
