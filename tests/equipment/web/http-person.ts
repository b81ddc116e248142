import { type Sent, openStream } from '@maw/web/web.suite.ts';
import type { InProcessWeb } from './in-process-web.ts';

interface Asked {
  readonly id: string;
  readonly verb: 'say' | 'tell' | 'choose';
  readonly options: readonly { readonly is: string; readonly named: string }[];
  readonly room?: string;
}

export type HttpPerson = Awaited<ReturnType<typeof httpPerson>>;

/** Somebody at a table who has nothing but a token: acts by HTTP, watches by server-sent events, and may be cut off and come back. */
export async function httpPerson(
  house: InProcessWeb,
  table: string,
  joined: { readonly seat: number; readonly name: string; readonly token: string },
) {
  const { seat, name, token } = joined;
  const read: Sent[] = [];
  const lastN = () => read.findLast(({ id }) => id !== undefined)?.id;
  const open = () => openStream(house.url, `/tables/${table}/events`, token, lastN() === undefined ? {} : { 'Last-Event-ID': lastN()! });
  let reader = await open();
  const all = (): readonly Sent[] => [...read, ...reader.sent];
  const seen = () => all().filter(({ event }) => event === 'seen');
  const act = (deed: string, body: unknown) => house.post(`/tables/${table}/${deed}`, body, token);

  return {
    seat,
    name,
    token,
    act,
    all,
    seen,
    /** What it may answer now, as it was last told. */
    asked: (): readonly Asked[] => all().findLast(({ event }) => event === 'asked')?.data.asked ?? [],
    /** The question of this step, if it is asked. */
    question(step: string) {
      return this.asked().find(({ id }) => id.endsWith(`/${step}`));
    },
    life: (): string => all().findLast(({ event }) => event === 'asked')?.data.life,
    brief: (): string => all().findLast(({ event }) => event === 'asked')?.data.brief,
    sees: (type: string) => seen().flatMap(({ data }) => (data.event.type === type ? [data.event] : [])),
    isOver: () => all().some(({ event }) => event === 'over'),
    choose: (question: string, option: string) => act('acts', { question, says: [option] }),
    /** Loses the connection in the middle of whatever it is, and comes back. */
    async comesBack() {
      await reader.cut();
      read.push(...reader.sent);
      reader = await open();
    },
    leaves: () => reader.cut(),
  };
}
