import type { Seat } from '../kernel/question.ts';
import type { RuleSet } from '../kernel/rule-set.ts';
import type { Moment } from '../kernel/rules.ts';
import { avalon } from './avalon.ts';
import type { Role } from './state.ts';

/** Avalon with fixed roles by seat and a fixed first leader. The roles must match the default cast or be given as the option `roles`. */
export const avalonDealt = (roles: readonly Role[], leader: Seat = 0): RuleSet => ({
  ...avalon,
  rules(players, options) {
    const rules = avalon.rules(players, options);
    const dice = {
      pick: () => leader,
      shuffle(_: string, items: readonly string[]) {
        if (sorted(roles) !== sorted(items)) throw new Error(`${roles.join()} is not an order of ${items.join()}`);
        return roles;
      },
    } as unknown as Moment['dice'];
    return { ...rules, deal: (n, moment) => rules.deal(n, { ...moment, dice }) };
  },
});

const sorted = (items: readonly string[]): string => items.toSorted((a, b) => (a < b ? -1 : 1)).join();

/** A cast as the option `roles`. */
export const countsOf = (roles: readonly Role[]): { readonly [role: string]: number } =>
  roles.reduce<{ [role: string]: number }>((counts, role) => ({ ...counts, [role]: (counts[role] ?? 0) + 1 }), {});
