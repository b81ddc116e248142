import { useEffect, useState } from 'react';
import type { Face } from './draw.ts';

type Faces = readonly (Face | undefined)[];
const NONE: Faces = [];

/** The faces of a table by seat. What draws them is loaded first; until then seats show letters. */
export function useFaces(names: readonly (string | undefined)[]): Faces {
  const [faces, setFaces] = useState(NONE);
  useEffect(() => {
    let isWanted = true;
    import('./draw.ts').then(
      ({ drawFaces }) => isWanted && setFaces(drawFaces(names)),
      () => undefined, // the letters stay
    );
    return () => void (isWanted = false);
  }, [names]);
  return faces;
}
