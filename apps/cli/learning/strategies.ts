import { missingText, missingVersionText, parseVersionedName } from '@maw/store/find-version.ts';
import type { Strategies, StrategySet, StrategyVersion } from '@maw/store/ports/strategies.ts';
import { columns, dayOf } from '../output.ts';
import { sanitizeText } from '@maw/text/sanitize-text.ts';

/** What a command prints. */
type Lines = Promise<readonly string[]>;

interface Form {
  readonly json: boolean;
}

/** `maw strategy list`. */
export async function listSets(strategies: Strategies, { json }: Form): Lines {
  const sets = await strategies.list();
  if (json) return jsonLines(sets);
  if (!sets.length) return ['There are no strategies; ./maw play --minds lan:strategies=NAME learns some.'];
  const day = (at: number | undefined): string => (at === undefined ? '-' : dayOf(at));
  const rows = sets.map(({ name, newest, games, at, frozen }) => [name, String(newest), String(games), day(at), day(frozen)]);
  return columns([['set', 'newest version', 'games', 'written', 'frozen'], ...rows], '');
}

/** `maw strategy show`. @param wanted NAME or NAME@VERSION @param role all if not given @throws Error naming what there is */
export async function showSet(
  strategies: Strategies,
  wanted: string,
  role: string | undefined,
  form: Form & { readonly version?: number },
): Lines {
  const { name, version: named } = parseVersionedName(wanted);
  const { newest, frozen } = await findSet(strategies, name);
  const { version = named ?? newest, json } = form;
  if (version > newest) throw new Error(missingVersionText(name, version, newest));
  const all = await strategies.newest(name, { version });
  const found = all.filter((each) => role === undefined || each.role === role);
  if (!found.length) {
    const roles = [...new Set(all.map((each) => each.role))].join(', ');
    throw new Error(
      `${name}@${version} has no strategy${role === undefined ? '' : ` for the role ${role}; it has ${roles || 'none at all'}`}`,
    );
  }
  if (json) return jsonLines(found);
  const lines = found.flatMap((each) => {
    const { rules, role: of, recipe, version: at, table, round, seat, parent } = each;
    const origin = `(revises ${parent || 'the recipe’s own'}; table ${table}, round ${round}, seat ${seat})`;
    return ['', `${rules} ${of} (${recipe}), version ${at} ${origin}`, ...linesOf(each).map((line) => `  ${line}`)];
  });
  return [`${name}@${version}${frozen === undefined ? '' : ', frozen'}`, ...lines];
}

/** `maw strategy freeze`. @throws Error naming the sets there are */
export async function freezeSet(strategies: Strategies, name: string, now: number): Lines {
  await findSet(strategies, name);
  await strategies.freeze(name, now);
  const { newest } = await findSet(strategies, name); // a version that was being written is in it
  return [`${name} is frozen at version ${newest}: games read it, and none adds to it.`];
}

const jsonLines = (values: readonly object[]): readonly string[] => values.map((value) => JSON.stringify(value));

async function findSet(strategies: Strategies, name: string): Promise<StrategySet> {
  const [found] = await strategies.list(name);
  if (found) return found;
  const there = (await strategies.list()).map((set) => set.name);
  throw new Error(missingText(`set of strategies ${name}`, there, './maw play --minds lan:strategies=NAME makes one'));
}

/** What was learned, a line for each part. */
function linesOf({ lesson }: Pick<StrategyVersion, 'lesson'>): readonly string[] {
  return ['strategy', 'suggestions', 'others'].flatMap((part) =>
    [lesson[part]].flat().flatMap((text) => (typeof text === 'string' && text ? [`${part}: ${sanitizeText(text)}`] : [])),
  );
}
