export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where the seats of a table are, in percent of its box, the first at the top, clockwise. */
export function seatPoints(count: number): readonly Point[] {
  return Array.from({ length: count }, (_, seat) => {
    const angle = (2 * Math.PI * seat) / count - Math.PI / 2;
    return { x: 50 + 40 * Math.cos(angle), y: 46 + 38 * Math.sin(angle) };
  });
}

/** A curve between two seats in pixels, ending short of both; it bends to the right, so that there and back can be told apart. */
export function arrowPath(from: Point, to: Point, gap: number): string {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const bend = Math.min(40, length / 6);
  const [behind, before] = [uy > 0.4 ? 2 * gap : gap, (uy < -0.4 ? 2 * gap : gap) + 6]; // names are below the seats
  const start = { x: from.x + ux * behind, y: from.y + uy * behind };
  const end = { x: to.x - ux * before, y: to.y - uy * before };
  const middle = { x: (from.x + to.x) / 2 - uy * bend, y: (from.y + to.y) / 2 + ux * bend };
  const n = (value: number): string => value.toFixed(1);
  return `M${n(start.x)} ${n(start.y)}Q${n(middle.x)} ${n(middle.y)} ${n(end.x)} ${n(end.y)}`;
}

/** Hues far apart for neighbouring seats. */
export const hueOf = (seat: number): number => (seat * 137.5 + 25) % 360;
