import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parse } from 'yaml';
import { root } from '../equipment/source/repository.ts';

/** A span, as far as the policies look at it. */
export interface SampledSpan {
  readonly name: string;
  /** Whether it begins its trace. */
  readonly isRoot?: boolean;
  readonly isError?: boolean;
  /** Seconds. */
  readonly lasts?: number;
  readonly attributes?: Readonly<Record<string, string | number>>;
}

/** The settings of the processor that are documented for the version that is pinned, as far as we use them; others are mistakes. */
const policy = z.discriminatedUnion('type', [
  z.strictObject({
    name: z.string(),
    type: z.literal('status_code'),
    status_code: z.strictObject({ status_codes: z.array(z.enum(['OK', 'ERROR', 'UNSET'])).min(1) }),
  }),
  z.strictObject({
    name: z.string(),
    type: z.literal('ottl_condition'),
    ottl_condition: z.strictObject({ error_mode: z.enum(['ignore', 'propagate', 'silent']), span: z.array(z.string()).min(1) }),
  }),
]);
export const tailSampling = z.strictObject({
  decision_wait: z.literal('${env:DECISION_WAIT:-180s}'),
  num_traces: z.number().int().positive(),
  decision_cache: z.strictObject({ sampled_cache_size: z.number().int().positive() }),
  policies: z.array(policy).min(1),
});
const collector = z.looseObject({
  processors: z.looseObject({ tail_sampling: tailSampling }),
  service: z.looseObject({ pipelines: z.strictObject({ traces: z.looseObject({ processors: z.array(z.string()) }) }) }),
});

/** The configuration of the collector. */
export const readCollector = () => collector.parse(parse(readFileSync(join(root, 'infra/otel-collector/traces.yaml'), 'utf8')));

type Policies = ReturnType<typeof readCollector>['processors']['tail_sampling']['policies'];
let known: Policies | undefined;

/** Whether the policies keep a trace. @param share what the variable TRACED_TABLES is set to */
export function isKept(trace: readonly SampledSpan[], share: number): boolean {
  known ??= readCollector().processors.tail_sampling.policies;
  return known.some((one) =>
    trace.some((span) =>
      one.type === 'status_code'
        ? span.isError === true && one.status_code.status_codes.includes('ERROR')
        : one.ottl_condition.span.some((text) => holds(text.replace('${env:TRACED_TABLES:-1}', String(share)), span)),
    ),
  );
}

/** Whether a condition of OTTL holds of a span, for the part of the language that the configuration uses. @throws Error for any other */
function holds(condition: string, span: SampledSpan): boolean {
  return condition.split(' and ').every((part) => {
    const isNot = part.startsWith('not ');
    return holdsOne(isNot ? part.slice(4) : part, span) !== isNot;
  });
}

const TABLE = 'span.attributes["maw.table"]';
const LASTING = '(span.end_time_unix_nano - span.start_time_unix_nano)';

function holdsOne(text: string, { name, isRoot = false, lasts = 0, attributes = {} }: SampledSpan): boolean {
  if (text === 'IsRootSpan()') return isRoot;
  const [, pattern] = /^IsMatch\(span\.name, "(.+)"\)$/.exec(text) ?? [];
  if (pattern !== undefined) return new RegExp(pattern).test(name);
  const [, left = '', is, right = ''] = /^(.+?) (==|!=|<|>) (.+)$/.exec(text) ?? [];
  const value = right === 'nil' ? undefined : right.startsWith('"') ? right.slice(1, -1) : product(right);
  const [, key] = /^span\.attributes\["([\w.]+)"\]$/.exec(left) ?? [];
  const actual =
    key === undefined ? { 'span.name': name, [LASTING]: lasts * 1e9, [HASHED]: hashed(attributes['maw.table']) }[left] : attributes[key];
  if (key === undefined && !['span.name', LASTING, HASHED].includes(left)) throw new Error(`${text} is not understood here`);
  if (is === '==' || is === '!=') return (actual === value) === (is === '==');
  return is === '<' ? Number(actual) < Number(value) : Number(actual) > Number(value);
}

const HASHED = `ParseInt(Substring(SHA256(${TABLE}), 0, 8), 16)`;
const hashed = (table: string | number | undefined): number | undefined =>
  table === undefined ? undefined : Number.parseInt(createHash('sha256').update(String(table)).digest('hex').slice(0, 8), 16);
const product = (text: string): number => text.split(' * ').reduce((all, one) => all * Number(one), 1);
