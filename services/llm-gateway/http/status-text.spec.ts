import { describe, expect, it } from '@jest/globals';
import { contracts } from '@maw/contracts/contracts.ts';
import { statusText } from './status-text.ts';

const status = contracts.get('llm.status').replyExample!;
const [server] = status.servers;

describe('statusText', () => {
  it('shows queue, servers, problems, limited agents and budgets', () => {
    const text = statusText({
      ...status,
      door: 'http://10.0.0.1:8090',
      servers: [
        {
          ...server!,
          busy: 1,
          slots: 4,
          models: [{ ...server!.models[0]!, ofNoTable: { replies: 6, unfit: 4, why: 'not JSON' } }],
        },
        { server: 'b', kind: 'openai', state: 'down', why: 'the connection was refused', slots: 2, busy: 0, breaker: 'open', models: [] },
        {
          ...server!,
          server: 'c',
          state: 'draining',
          breaker: 'half-open',
          models: [{ name: 'm', isResident: false, breaker: 'open' }],
        },
      ],
      limited: [{ agent: 'lab/bot', why: 'an agent may ask 60 times a minute', until: 1 }],
      budgets: {
        kept: 'in-ledger',
        accounts: [
          { kind: 'game', who: 't1', used: 900, left: 100 },
          { kind: 'tenant', who: 'home', used: 1_100, left: -100 },
        ],
      },
      capacity: { utilisation: 1.256, active: 2, more: 0 },
      waiting: { critical: 1, talk: 2, background: 3, longestMs: 1_250 },
      gapMs: 60,
    });
    expect(text).toBe(
      [
        'gateway g1 at http://10.0.0.1:8090',
        'asked for: 126 % of the slot time, by 2 games; 0 more would fit',
        'waiting: 1 critical, 2 talk, 3 background; the longest for 1.3 s; games lie 0.1 s apart',
        '',
        'server           kind    state                  slots  models (* in memory)',
        '127.0.0.1:11434  ollama  up                     1/4    llama3.1* 21.5 ms/token',
        'b                openai  down, left alone       0/2    none',
        'c                ollama  draining, being tried  0/1    m, left alone',
        '',
        'amiss:',
        '  127.0.0.1:11434: 4 of 6 replies of llama3.1 to no table did not fit, the last: not JSON',
        '  b: the connection was refused',
        '',
        'game  waiting  running  slot time ahead',
        't1    1        0        0.9 s',
        '',
        'limited:',
        '  lab/bot: an agent may ask 60 times a minute',
        '',
        'budgets, kept in the database:',
        'account      tokens used  left',
        'tenant home  1100         -100',
        'game t1      900          100',
        '',
      ].join('\n'),
    );
  });

  it('omits empty sections', () => {
    const { budgets: _, ...others } = status;
    const text = statusText({ ...others, games: [], capacity: { utilisation: 0, active: 1, more: 4 } });
    expect(text.split('\n')).toHaveLength(7);
    expect(text).toContain('by 1 game; 4 more would fit');
  });
});
