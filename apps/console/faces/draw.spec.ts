import { expect, it } from '@jest/globals';
import { drawFaces } from './draw.ts';

const NAMES = Array.from({ length: 20 }, (_, n) => `Player ${n}`);

it('draws the same face from a name, awake and asleep, and asks nobody for it', () => {
  const [ann, free, bob] = drawFaces(['Ann', undefined, 'Bob']);
  expect([drawFaces(['Ann'])[0], free]).toEqual([ann, undefined]);
  expect(new Set([ann!.open, ann!.closed, bob!.open, bob!.closed]).size).toBe(4);
  const svg = decodeURIComponent(ann!.open);
  expect(svg).toMatch(/^data:image\/svg\+xml/);
  expect(svg).not.toMatch(/<script|<image|href=/);
});

it('draws no two alike at a full table, also where names are', () => {
  const faces = drawFaces([...NAMES.slice(0, 18), 'Ann', 'Ann']);
  expect(new Set(faces.map((face) => face!.open)).size).toBe(20);
});

it('gives whoever came first the own face', () => {
  expect(drawFaces(NAMES)[0]).toEqual(drawFaces(NAMES.slice(0, 1))[0]);
});
