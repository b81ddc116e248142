import { parser } from '@prometheus-io/lezer-promql';

/**
 * An expression restricted to one namespace, by a matcher in every selector. The Prometheus of a cluster also scrapes other systems, and `up`
 * or the memory of a process have the same names everywhere.
 * @param namespace as Kubernetes names them: letters, digits and `-`
 */
export const inNamespace = (expr: string, namespace: string): string => withMatcher(expr, `namespace="${namespace}"`);

/** An expression with one more matcher in every selector. */
export function withMatcher(expr: string, matcher: string): string {
  const wanted: { readonly at: number; readonly text: string }[] = [];
  parser.parse(expr).iterate({
    enter: ({ name, to, node }) => {
      if (name !== 'VectorSelector') return;
      const matchers = node.getChild('LabelMatchers');
      if (!matchers) wanted.push({ at: to, text: `{${matcher}}` });
      else wanted.push({ at: matchers.from + 1, text: matchers.firstChild === null ? matcher : `${matcher}, ` });
    },
  });
  return wanted.toReversed().reduce((text, { at, text: more }) => text.slice(0, at) + more + text.slice(at), expr);
}
