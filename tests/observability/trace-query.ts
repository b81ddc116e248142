import { parser } from '@grafana/lezer-traceql';
import type { ReceivedSpan } from '../equipment/fakes/otlp-receiver.ts';

/** A TraceQL query as the boards write it: conditions that all hold of one span, and what is shown of it. */
export interface TraceQuery {
  readonly conditions: readonly Condition[];
  /** Attributes of spans. */
  readonly selected: readonly string[];
}

interface Condition {
  /** `name`, `status`, `span.<attribute>` or `resource.<attribute>`. */
  readonly field: string;
  readonly is: '=' | '=~' | '!=';
  /** A variable of the dashboard stands for every value. */
  readonly value: string;
}

/** @throws Error when the query has a condition of another kind, such as `||` */
export function readTraceQuery(query: string): TraceQuery {
  const conditions: Condition[] = [];
  const selected: string[] = [];
  parser.parse(query).iterate({
    enter: ({ name, node, from, to }) => {
      if (name === 'Or') throw new Error(`${query}: only && is understood here`);
      const text = query.slice(from, to);
      // The list of what is selected is a tree that leans to the left: the last one comes first.
      if (name === 'SelectArgs') {
        const [field] = node.getChildren('FieldExpression');
        if (field) selected.unshift(query.slice(field.from, field.to).replace(/^span\./, ''));
      }
      if (name !== 'FieldExpression' || !node.getChild('FieldOp')) return;
      const [, field, is, value] = /^(\S+) (=~|!=|=) "?([^"]*)"?$/.exec(text) ?? [];
      if (field === undefined) throw new Error(`${query}: the condition ${text} is not understood here`);
      conditions.push({ field, is: is as Condition['is'], value: value! });
    },
  });
  return { conditions, selected };
}

/** Whether a recorded span is among what a query finds. */
export const finds = ({ conditions }: TraceQuery, span: ReceivedSpan): boolean =>
  conditions.every(({ field, is, value }) => {
    const actual = valueOf(span, field);
    if (actual === undefined) return false;
    const isAny = value.startsWith('$');
    const isSame = is === '=~' ? new RegExp(`^(?:${value})$`).test(actual) : actual === value;
    return isAny || (is === '!=' ? !isSame : isSame);
  });

function valueOf({ name, status, attributes, resource }: ReceivedSpan, field: string): string | undefined {
  if (field === 'name') return name;
  if (field === 'status') return status.code;
  const value = field.startsWith('resource.') ? resource[field.slice('resource.'.length)] : attributes[field.replace(/^span\./, '')];
  return value === undefined ? undefined : String(value as string | number | boolean);
}
