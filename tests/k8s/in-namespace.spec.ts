import { describe, expect, it } from '@jest/globals';
import { inNamespace } from '../../infra/prometheus/in-namespace.ts';

describe('an expression about one namespace', () => {
  it.each([
    ['up', 'up{namespace="n"}'],
    ['up{}', 'up{namespace="n"}'],
    ['up{job="a"} == 0', 'up{namespace="n", job="a"} == 0'],
    ['{__name__="up"}', '{namespace="n", __name__="up"}'],
    ['rate(a_total{x=~"b{2}"}[5m])', 'rate(a_total{namespace="n", x=~"b{2}"}[5m])'],
    [
      'sum by (job) (rate(a_total[5m])) / sum by (job) (b)',
      'sum by (job) (rate(a_total{namespace="n"}[5m])) / sum by (job) (b{namespace="n"})',
    ],
    ['a or label_replace(vector(0), "service", "up", "", "")', 'a{namespace="n"} or label_replace(vector(0), "service", "up", "", "")'],
    ['max_over_time(a[1h] offset 5m)', 'max_over_time(a{namespace="n"}[1h] offset 5m)'],
  ])('%s', (expr, expected) => {
    expect(inNamespace(expr, 'n')).toBe(expected);
  });
});
