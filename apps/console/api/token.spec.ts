import { describe, expect, it } from '@jest/globals';
import {
  findToken,
  forgetTokens,
  hearSignOut,
  keepToken,
  settleToken,
  signOut,
  tableInPath,
  tokenInFragment,
  type TokenStores,
} from './token.ts';

function storage(): Storage {
  const items: { [key: string]: string } = Object.create({
    getItem: (key: string) => items[key] ?? null,
    setItem: (key: string, value: string) => void (items[key] = value),
    removeItem: (key: string) => void delete items[key],
  }) as { [key: string]: string };
  return items as unknown as Storage;
}
const tabOf = (browser: Storage): TokenStores => ({ tab: storage(), browser });

describe('the tokens of the console', () => {
  it('are read from fragments and belong to the table of the path', () => {
    expect([tokenInFragment('#token=a.b'), tokenInFragment('#x'), tokenInFragment('')]).toEqual(['a.b', undefined, undefined]);
    expect(['/t/t1', '/t/t1/inside', '/t/%E0', '/console/open'].map(tableInPath)).toEqual(['t1', 't1', '%E0', undefined]);
  });

  it('of a seat are shared by tabs, and two tabs may hold two seats', () => {
    const browser = storage();
    const [one, two, three] = [tabOf(browser), tabOf(browser), tabOf(browser)];
    for (const [tab, token] of [
      [one, 'ann'],
      [two, 'bo'],
    ] as const) {
      keepToken(tab, 't1', token);
      settleToken(tab, 't1', token, 'seat');
    }
    expect([one, two, three].map((tab) => findToken(tab, 't1'))).toEqual(['ann', 'bo', 'bo']);
    expect(findToken(one, 't2')).toBeUndefined();
    forgetTokens(two);
    expect([two, three].map((tab) => findToken(tab, 't1'))).toEqual([undefined, undefined]);
  });

  it('are forgotten by all tabs at once, whatever a request still answers', () => {
    const browser = storage();
    const [one, two] = [tabOf(browser), tabOf(browser)];
    keepToken(one, 't1', 'ann');
    settleToken(one, 't1', 'ann', 'seat');
    keepToken(two, 't1', 'admin');
    settleToken(two, 't1', 'admin', 'admin');
    signOut(one);
    expect(hearSignOut(two, 'another')).toBe(false);
    expect(Object.keys(browser).map((key) => hearSignOut(two, key))).toEqual([true]);
    settleToken(one, 't1', 'ann', 'seat');
    settleToken(two, undefined, 'admin', 'admin');
    expect([one, two].flatMap((tab) => [findToken(tab, 't1'), findToken(tab, undefined)])).toEqual(Array(4).fill(undefined));
  });

  it('of an administrator hold for every table and stay in their tab', () => {
    const browser = storage();
    const [one, two] = [tabOf(browser), tabOf(browser)];
    keepToken(one, 't1', 'admin');
    settleToken(one, 't1', 'admin', 'admin');
    expect([findToken(one, 't1'), findToken(one, 't2'), findToken(one, undefined)]).toEqual(['admin', 'admin', 'admin']);
    expect(findToken(two, 't1')).toBeUndefined();
  });

  it('of an administrator and of a seat may stand side by side: each for what it permits', () => {
    const tab = tabOf(storage());
    const hash = '#token=ann&operator=admin';
    expect([tokenInFragment(hash), tokenInFragment(hash, 'operator'), tokenInFragment('#token=ann', 'operator')]).toEqual([
      'ann',
      'admin',
      undefined,
    ]);
    keepToken(tab, 't1', 'ann');
    keepToken(tab, undefined, 'admin');
    expect([settleToken(tab, 't1', 'ann', 'seat'), settleToken(tab, undefined, 'admin', 'admin')]).toEqual([false, false]);
    expect([findToken(tab, 't1'), findToken(tab, 't2'), findToken(tab, undefined)]).toEqual(['ann', 'admin', 'admin']);
    expect(Object.values(tab.browser)).not.toContain('admin');
    keepToken(tab, 't2', 'other');
    expect([settleToken(tab, 't2', 'other', 'admin'), findToken(tab, undefined)]).toEqual([true, 'other']);
  });

  it('of a spectator do not replace the seat that the browser keeps', () => {
    const browser = storage();
    const [first, second] = [tabOf(browser), tabOf(browser)];
    keepToken(first, 't1', 'ann');
    settleToken(first, 't1', 'ann', 'seat');
    keepToken(second, 't1', 'watch');
    settleToken(second, 't1', 'watch', 'spectator');
    expect([findToken(second, 't1'), findToken(tabOf(browser), 't1')]).toEqual(['watch', 'ann']);
    keepToken(second, 't2', 'watch');
    settleToken(second, 't2', 'watch', 'spectator');
    expect(findToken(tabOf(browser), 't2')).toBe('watch');
  });
});
