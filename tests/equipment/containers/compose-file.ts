import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from '../source/repository.ts';

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const service = z.looseObject({
  image: z.string(),
  user: z.string().optional(),
  command: z.array(scalar).optional(),
  environment: z.record(z.string(), scalar).default({}),
  volumes: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  profiles: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.strictObject({ condition: z.string() })).default({}),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).default([]),
  cap_add: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  restart: z.string().optional(),
  stop_grace_period: z.string().optional(),
  healthcheck: z.looseObject({ test: z.array(scalar).optional(), disable: z.boolean().optional() }).optional(),
  logging: z.object({ driver: z.string(), options: z.record(z.string(), scalar) }).optional(),
});
export type Service = z.output<typeof service>;

export const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
/** A YAML file of the repository, which may say one thing in many places. */
export const yamlOf = (path: string): unknown => parse(textOf(path), { merge: true, maxAliasCount: -1 });

/** docker-compose.yml as it is written, variables not filled in. */
export const composeFile = z
  .looseObject({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.unknown()) })
  .parse(yamlOf('docker-compose.yml'));

/** What .env.example says. */
export const dotEnv: Readonly<Record<string, string>> = Object.fromEntries(
  textOf('.env.example')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
);

/** A text of the compose file with its variables filled in. @throws Error for one that nobody has set */
export const filledIn = (text: string, env: Readonly<Record<string, string>> = dotEnv): string =>
  text.replace(/\$\{(\w+)(?::-[^}]*)?\}/g, (_, name: string) => {
    const value = env[name];
    if (value === undefined) throw new Error(`\${${name}} is not in .env.example`);
    return value;
  });
