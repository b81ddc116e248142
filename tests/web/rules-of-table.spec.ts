import { expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { createWebClient } from '@maw/cli/clients/web-client.ts';
import { playSeat } from '@maw/cli/play/play-seat.ts';
import type { Prompt } from '@maw/cli/play/terminal/line-editor.ts';
import { ADMIN, inProcessWeb } from '../equipment/web/in-process-web.ts';

/** What the terminal shows to a person who types this line. */
async function shownFor(line: string, url: string, table: string, token: string): Promise<string> {
  const shown: string[] = [];
  const stop = new AbortController();
  const prompt: Prompt = {
    isTerminal: true,
    show: (text) => void shown.push(text),
    async *lines() {
      yield line;
      stop.abort();
    },
    keys: () => 0,
    edit() {},
    setStatus() {},
    refresh() {},
    setCompletions() {},
    onInterrupt() {},
    close() {},
  };
  const web = createWebClient(url, token);
  await playSeat({ web, table, seat: 0, prompt, paint: (_, text) => text, canLeave: true, now: Date.now, signal: stop.signal });
  return shown.join('\n');
}

it('tells people, programs and minds the same rules, as the table was opened', async () => {
  const here = await inProcessWeb();
  try {
    const told: string[] = [];
    here.hub.subscribe(['seat.decide'], ({ raw, ack }) => {
      told.push((JSON.parse(raw.body.toString()) as { data: { rules: { text: string } } }).data.rules.text);
      ack();
    });
    const seats = [{ kind: 'person' }, { kind: 'mind', name: 'Bo' }, { kind: 'mind', name: 'Cy' }, { kind: 'mind', name: 'Di' }];
    const terms = { rules: 'maw', seats, rounds: 2, lobbyMs: 20_000, options: { seer: true, dayMs: 61_000 } };
    const { table } = (await here.post('/tables', terms, ADMIN)).body;
    const { token } = (await here.post(`/tables/${table}/seats`, { name: 'Ann' }, ADMIN)).body;
    await pollUntil('a question to a mind', () => told.length > 0);
    const { text } = (await here.get(`/tables/${table}/rules`, token)).body;
    for (const own of ['4 players', 'one of whom is the Seer', 'at most 61 seconds', '2 rounds are played']) expect(text).toContain(own);
    expect(new Set(told)).toEqual(new Set([text]));
    expect(await shownFor('/rules', here.url, table, token)).toContain(text);
  } finally {
    await here.close();
  }
});
