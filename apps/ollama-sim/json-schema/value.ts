import type { Random } from '../seeded-random.ts';
import type { Guide } from './guide.ts';
import { meets, schemasFor } from './check.ts';
import { all, merge } from './merge.ts';
import { writeNumber, writeText } from './scalar.ts';
import {
  choicesOf,
  type Fields,
  isFields,
  numberIn,
  propertiesOf,
  requiredOf,
  resolve,
  type Schema,
  same,
  schemaIn,
  schemasIn,
  Unmeetable,
} from './schema.ts';
import { heightOf, labelOf } from './shape.ts';
import { textMatching } from './pattern.ts';

const DEEP = 4;
const MOST_NODES = 20_000;
const TRIES = 4;

/** A value that meets the schema, as a model bound to its grammar would write it. Throws `Unmeetable` when it finds none. */
export const valueFor = (schema: Schema, guide: Guide, dice: Random): unknown => {
  try {
    return search(schema, guide, dice);
  } catch (error) {
    if (error instanceof RangeError) throw new Unmeetable('the schema leads back to itself without end');
    throw error;
  }
};

const search = (schema: Schema, guide: Guide, dice: Random): unknown => {
  const root = schema;
  let nodes = 0;
  const spend = (): void => {
    if (++nodes > MOST_NODES) throw new Unmeetable('the schema is too large, or cannot be met');
  };

  /** The schema without references and branches, in the order in which they are worth trying. */
  function* plain(one: Schema, depth: number): Generator<Fields> {
    spend();
    if (typeof one === 'boolean') {
      if (one) yield {};
      return;
    }
    const { $ref, allOf, anyOf, oneOf, ...own } = one;
    const musts = [...($ref === undefined ? [] : [resolve($ref, root)]), ...schemasIn(allOf)];
    const groups = [anyOf, oneOf].filter(Array.isArray).map(schemasIn);
    yield* joined(own, [...musts.map((must) => [must]), ...groups], depth);
  }
  function* joined(base: Fields, groups: readonly (readonly Schema[])[], depth: number): Generator<Fields> {
    const [group, ...rest] = groups;
    if (group === undefined) {
      yield base;
      return;
    }
    for (const branch of ordered(group, depth)) {
      for (const fields of plain(branch, depth)) {
        const merged = merge(base, fields);
        if (merged !== undefined) yield* joined(merged, rest, depth);
      }
    }
  }
  const ordered = (branches: readonly Schema[], depth: number): readonly Schema[] => {
    if (branches.length < 2) return branches;
    if (depth > DEEP) return branches.toSorted((a, b) => heightOf(a, root) - heightOf(b, root) || 0);
    const first = branches[guide.branch(branches.map((branch) => labelOf(branch, root)))];
    return first === undefined ? dice.shuffle(branches) : [first, ...dice.shuffle(branches.filter((branch) => branch !== first))];
  };

  const value = (one: Schema, property: string, depth: number, taken: readonly unknown[] = []): unknown => {
    for (const fields of plain(one, depth)) {
      for (let tried = 0; tried < TRIES; tried++) {
        spend();
        try {
          const made = write(fields, property, depth, taken);
          if (meets(one, made, root)) return made;
        } catch (error) {
          if (!(error instanceof Unmeetable) || nodes > MOST_NODES) throw error;
          break;
        }
      }
    }
    throw new Unmeetable(`"${property}": nothing meets ${JSON.stringify(one).slice(0, 200)}`);
  };

  const write = (fields: Fields, property: string, depth: number, taken: readonly unknown[]): unknown => {
    const choices = choicesOf(fields)?.filter((choice) => meets(fields, choice, root));
    if (choices?.length === 1) return choices[0];
    if (choices !== undefined && choices.length > 0) return guide.choose(property, choices, taken);
    if (choices !== undefined) throw new Unmeetable(`"${property}": no value of the enum meets the rest`);
    const type = dice.pick(typesOf(fields));
    switch (type) {
      case 'string':
        return writeText(fields, property, guide, dice);
      case 'integer':
      case 'number':
        return writeNumber(fields, type === 'integer', property, dice);
      case 'boolean':
        return guide.choose(property, [true, false], []);
      case 'null':
        return null;
      case 'array':
        return writeList(fields, property, depth);
      case 'object':
        return writeObject(fields, depth);
      default:
        throw new Unmeetable(`"${property}": unknown type ${JSON.stringify(type)}`);
    }
  };

  const writeList = (fields: Fields, property: string, depth: number): unknown[] => {
    const first = schemasIn(fields['prefixItems']);
    const items = schemaIn(fields['items']);
    const least = numberIn(fields, 'minItems') ?? 0;
    const most = numberIn(fields, 'maxItems') ?? Infinity;
    const more = isFields(fields['items']) && depth < DEEP ? 1 + dice.below(2) : 0;
    const open = Math.max(least, first.length) + more;
    const list: unknown[] = [];
    while (list.length < Math.min(most, Math.max(least, open))) {
      const one = all([first[list.length] ?? items, list.length === 0 ? schemaIn(fields['contains']) : true]);
      try {
        const made = nextItem(one, property, depth, list, fields['uniqueItems'] === true);
        list.push(made);
      } catch (error) {
        if (!(error instanceof Unmeetable) || list.length < least) throw error;
        break;
      }
    }
    return list;
  };
  const nextItem = (one: Schema, property: string, depth: number, list: readonly unknown[], unique: boolean): unknown => {
    for (let tried = 0; tried < TRIES * 8; tried++) {
      const made = value(one, property, depth + 1, list);
      if (!unique || !list.some((other) => same(other, made))) return made;
    }
    throw new Unmeetable(`"${property}": no further item that is not in the list`);
  };

  const writeObject = (fields: Fields, depth: number): Fields => {
    const required = requiredOf(fields);
    const known = [...propertiesOf(fields).keys()];
    const least = numberIn(fields, 'minProperties') ?? 0;
    const most = numberIn(fields, 'maxProperties') ?? Infinity;
    const entries = new Map<string, unknown>();
    const add = (name: string): void => void entries.set(name, value(all(schemasFor(fields, name)), name, depth + 1));
    const addIfPossible = (name: string): void => {
      try {
        add(name);
      } catch (error) {
        if (!(error instanceof Unmeetable) || nodes > MOST_NODES) throw error;
      }
    };
    let room = most - required.length;
    for (const name of new Set([...known, ...required])) {
      if (required.includes(name)) add(name);
      else if (room > 0 && depth < DEEP && dice.chance(0.75) && room-- > 0) addIfPossible(name);
    }
    const open = isFields(fields['additionalProperties']) && known.length === 0 && depth < DEEP ? 1 + dice.below(3) : 0;
    const wanted = Math.min(most, Math.max(least, entries.size + open));
    for (const name of [...known, ...extraNames(fields)]) if (entries.size < wanted && !entries.has(name)) addIfPossible(name);
    if (entries.size < least) throw new Unmeetable(`no ${least} properties found for an object`);
    return Object.fromEntries(entries);
  };
  const extraNames = (fields: Fields): readonly string[] => {
    const names = fields['propertyNames'];
    const patterns = isFields(fields['patternProperties']) ? Object.keys(fields['patternProperties']) : [];
    const matching = patterns.flatMap((pattern) => Array.from({ length: 8 }, (_, at) => textMatching(pattern, dice, at / 8)));
    const free = [...guide.keys(), ...Array.from({ length: 20 }, (_, at) => `entry${at + 1}`)];
    if (!isFields(names)) return [...matching, ...free];
    const chosen = [...plain(names, 0)].flatMap((one) => choicesOf(one) ?? []).filter((name) => typeof name === 'string');
    const made = chosen.length > 0 ? chosen : Array.from({ length: 12 }, () => value({ ...names, type: 'string' }, 'key', 0)).map(String);
    return [...chosen, ...[...matching, ...free].filter((name) => meets(names, name, root)), ...made];
  };

  return value(schema, '', 0);
};

/** The types a schema allows; where it names none, what its other words speak of. */
const typesOf = (fields: Fields): readonly unknown[] => {
  const type = fields['type'];
  if (Array.isArray(type)) return type.length > 1 ? type.filter((name) => name !== 'null') : type;
  if (type !== undefined) return [type];
  const hints: readonly (readonly [string, readonly string[]])[] = [
    ['object', ['properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties']],
    ['array', ['items', 'prefixItems', 'minItems', 'uniqueItems', 'contains']],
    ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
  ];
  return [hints.find(([, words]) => words.some((word) => fields[word] !== undefined))?.[0] ?? 'string'];
};
