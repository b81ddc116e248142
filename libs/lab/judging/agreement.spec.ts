import { describe, expect, it } from '@jest/globals';
import { agreementOf, cohenKappa, fleissKappa, type Rated } from './agreement.ts';

/** The items of a table of two judges: row the label of one, column that of the other. */
const itemsOf = (table: readonly (readonly number[])[]): readonly Rated[] =>
  table.flatMap((row, a) =>
    row.flatMap((times, b) => Array.from({ length: times }, () => ({ labels: [String(a), String(b)], game: 'one' }))),
  );

/** Table 1 of the article on Fleiss' kappa in Wikipedia: 10 items, 14 judges, 5 labels. */
const FOURTEEN_JUDGES = [
  [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
  [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]; // prettier-ignore

describe('agreement of judges', () => {
  // The first is worked by hand: 35 of 50 agree; 25/50 * 30/50 + 25/50 * 20/50 = .5 would by chance; (.7 - .5) / (1 - .5) = .4.
  it.each<readonly [string, readonly (readonly number[])[], number]>([
    ['by hand', [[20, 5], [10, 15]], 0.4],
    ['the same agreement, other habits', [[45, 15], [25, 15]], 0.1304],
    ['and still others', [[25, 35], [5, 35]], 0.2593],
    ['three labels, one never given by a judge', [[0, 4, 1], [0, 8, 0], [0, 1, 5]], 0.4842],
    ['less than chance', [[0, 5], [5, 0]], -1],
  ])('is that of Cohen: %s', (_, table, kappa) => expect(cohenKappa(itemsOf(table)).kappa).toBeCloseTo(kappa, 4)); // prettier-ignore

  it('is that of Fleiss for a published table', () => {
    const items = FOURTEEN_JUDGES.map((counts) => ({
      labels: counts.flatMap((n, label) => Array.from({ length: n }, () => String(label))),
    }));
    const { agreement, kappa } = fleissKappa(items);
    expect(agreement).toBeCloseTo(0.378, 3);
    expect(kappa).toBeCloseTo(0.20993, 5);
  });

  it('takes two judges of one habit alike by both, and of two habits not', () => {
    const alike = itemsOf([[20, 5], [5, 20]]); // prettier-ignore
    expect(fleissKappa(alike).kappa).toBeCloseTo(cohenKappa(alike).kappa!, 10);
    // Scott's pi: .7 agree; both say the first in 55 of 100, so .55^2 + .45^2 = .505 would by chance
    expect(fleissKappa(itemsOf([[20, 5], [10, 15]])).kappa).toBeCloseTo(0.195 / 0.495, 10); // prettier-ignore
  });

  it('is none where chance alone makes judges agree always, and without items', () => {
    const always = Array.from({ length: 5 }, () => ({ labels: ['no', 'no'], game: 'one' }));
    expect(agreementOf(cohenKappa, always, '0')).toEqual({ items: 5, agreement: 1, kappa: undefined, drawn: 'items' });
    expect(agreementOf(fleissKappa, [], '0')).toEqual({ items: 0, agreement: undefined, kappa: undefined, drawn: 'items' });
  });

  // 0.4 -+ 1.96 * 0.04016: Fleiss, Cohen and Everitt (1969), worked for this table
  it('has the interval of the asymptotic formula when there are many items', () => {
    const { kappa, low, high } = agreementOf(cohenKappa, itemsOf([[200, 50], [100, 150]]), '0'); // prettier-ignore
    expect(kappa).toBeCloseTo(0.4, 10);
    expect(low).toBeCloseTo(0.3213, 1.9);
    expect(high).toBeCloseTo(0.4787, 1.9);
  });

  it('draws whole games, as the items of a game are no news of each other', () => {
    const games = Array.from({ length: 12 }, (_, g) =>
      Array.from({ length: 20 }, (__, i): Rated => ({
        labels: [i % 2 ? 'yes' : 'no', (i + (g < 3 ? 1 : 0)) % 2 ? 'yes' : 'no'],
        game: `${g}`,
      })),
    ).flat();
    const byGame = agreementOf(cohenKappa, games, '0');
    const byItem = agreementOf(cohenKappa, games.map((item) => ({ ...item, game: 'one' })), '0'); // prettier-ignore
    expect([byGame.drawn, byItem.drawn]).toEqual(['games', 'items']);
    expect(byGame.high! - byGame.low!).toBeGreaterThan(2 * (byItem.high! - byItem.low!));
    expect(agreementOf(cohenKappa, games, '0')).toEqual(byGame);
  });
});
