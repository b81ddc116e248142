import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../equipment/source/repository.ts';

interface Job {
  readonly job_name: string;
  readonly [setting: string]: unknown;
}

/**
 * The configuration of the repository, with these targets in the place of those that are found by name in a network of containers. What
 * else it says of the jobs stays.
 * @param services addresses by the name of the service
 */
export function scrapeConfig(services: ReadonlyMap<string, string>, broker: string, rules: string): object {
  const given = parse(readFileSync(join(root, 'infra/prometheus/prometheus.yml'), 'utf8')) as { scrape_configs: readonly Job[] };
  const jobs = given.scrape_configs.flatMap((job): readonly object[] => {
    if (job.job_name === 'prometheus') return [];
    if (job.job_name !== 'maw') return [{ ...job, static_configs: [{ targets: [broker] }], params: withoutHost(job) }];
    const { dns_sd_configs: _, relabel_configs: __, authorization: ___, ...rest } = job;
    const targets = [...services].map(([name, url]) => ({ targets: [new URL(url).host], labels: { job: name } }));
    return [{ ...rest, static_configs: targets }];
  });
  const often = { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' };
  return { global: often, rule_files: [rules], scrape_configs: jobs };
}

/** The broker of a test has one virtual host, the usual one. */
const withoutHost = ({ params }: Job): object => {
  const { vhost: _, ...rest } = (params ?? {}) as { readonly vhost?: unknown };
  return rest;
};
