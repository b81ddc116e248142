import { describe, expect, it } from '@jest/globals';
import { aiwolfConfig } from '@maw/aiwolf-service/config.ts';
import { contestConfig } from '@maw/contest/config.ts';
import { chatroomConfig } from '@maw/chatroom/config.ts';
import { gamemasterConfig } from '@maw/gamemaster/config.ts';
import { gatewayFields } from '@maw/llm-gateway/config.ts';
import { playerConfig } from '@maw/player/config.ts';
import { ConfigError, readConfig } from '@maw/service/config.ts';
import { logger } from '@maw/telemetry/log.ts';
import { webConfig } from '@maw/web/config.ts';
import type { z } from 'zod';

const MARK = 'opensesame';
const programs = {
  'gamemaster': gamemasterConfig,
  'chatroom': chatroomConfig,
  'player': playerConfig,
  'llm-gateway': gatewayFields,
  'web': webConfig,
  'aiwolf': aiwolfConfig,
  'contest': contestConfig,
} as const satisfies { readonly [program: string]: z.ZodObject };

/** Variables that hold a secret themselves, and addresses that may have one in them. */
const SECRETS = /(SECRET|TOKEN|KEY|PASSWORD)$/;
const ADDRESSES = /(URL|URLS|ENDPOINT|HOST)$/;

describe.each(Object.entries(programs))('the configuration of %s', (_, schema) => {
  const names = Object.keys(schema.shape);

  it('reveals no secret when it is invalid', () => {
    for (const name of names.filter((each) => SECRETS.test(each) || ADDRESSES.test(each))) {
      for (const value of [`u:${MARK}@`, `://u:${MARK}@ x`, `${MARK}\u0007`]) {
        let text = '';
        try {
          readConfig(schema, { DATABASE_URL: 'postgres://x/y', [name]: value });
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigError);
          text = (error as Error).message;
        }
        if (SECRETS.test(name) || value.includes('@')) expect(text).not.toContain(MARK);
      }
    }
  });

  it('can be logged whole without revealing a secret', () => {
    const lines: string[] = [];
    const log = logger('x', { level: 'debug', destination: { write: (line) => void lines.push(line) } });
    const given = Object.fromEntries(
      names.flatMap((name) =>
        SECRETS.test(name) ? [[name, `${MARK}-of-a-secret`]] : ADDRESSES.test(name) ? [[name, `x://user:${MARK}@host:1/x`]] : [],
      ),
    );
    expect(Object.keys(given)).toEqual(expect.arrayContaining(['AMQP_URL', 'METRICS_TOKEN']));
    log.info({ given, list: [given], ...given }, 'configured');
    log.error({ err: new Error(`cannot use ${given['AMQP_URL']}`, { cause: new Error(given['AMQP_URL']) }) }, `tried ${given['AMQP_URL']}`);
    expect(lines).toHaveLength(2);
    expect(lines.join('')).not.toContain(MARK);
  });
});
