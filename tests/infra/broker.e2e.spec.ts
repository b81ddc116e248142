import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import amqp, { type ChannelModel, type ConfirmChannel, type Options } from 'amqplib';
import { type Bus, PermanentError } from '@maw/bus/bus.ts';
import { readDeadLetters, resendDeadLetters } from '@maw/bus/rabbitmq/dead-letter-admin.ts';
import { definitions } from '@maw/bus/rabbitmq/definitions.ts';
import { eventually } from '@maw/bus/suites/fixture.suite.ts';
import { rabbitBus } from '@maw/bus/rabbitmq/rabbit-bus.ts';
import type { RabbitOptions } from '@maw/bus/rabbitmq/rabbit-transport.ts';
import { DELAYS_MS } from '@maw/bus/retries.ts';
import {
  asideExchangeOf,
  deadLetterQueueOf,
  delayQueueOf,
  BROADCAST_EVENTS,
  replyQueueOf,
  queuesOf,
  routeFor,
  serviceQueues,
  subscriptionQueueOf,
} from '@maw/bus/core/topology.ts';
import { type ContractName, contracts, type Message } from '@maw/contracts/contracts.ts';
import { logger } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { type CertificateAuthority, certificateAuthority, type CertificatePair } from '../equipment/servers/certificate-authority.ts';
import { ADMIN, hasRabbitmq, LOCKED_OUT, type PrivateBroker, startPrivateBroker } from '../equipment/servers/private-servers.ts';

// A broker with the users and permissions of infra/rabbitmq: each service can do its work there, and nothing else.
const SERVICES = ['aiwolf', 'chatroom', 'contest', 'gamemaster', 'llm-gateway', 'player', 'web'] as const;
type Service = (typeof SERVICES)[number];
const USERS = [...SERVICES, 'operator', 'monitoring'] as const;
const VHOST = 'maw-test';
const LONG_MS = 240_000;
const passwordOf = (user: string) => `secret-of-${user}`;
const quiet = logger('test', { level: 'silent' });

// oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
const here = hasRabbitmq ? describe : describe.skip;
const reason = hasRabbitmq ? '' : ' (skipped: there is no rabbitmq-server here)';

jest.setTimeout(600_000);

here(`a broker with the definitions of the contracts${reason}`, () => {
  let broker: PrivateBroker;
  let [ours, strangers]: CertificateAuthority[] = [];
  let client: CertificatePair;
  let admin: ConfirmChannel;
  let models: ChannelModel[] = [];
  let administrator: ChannelModel;
  const buses: Bus[] = [];

  beforeAll(async () => {
    [ours, strangers] = await Promise.all([certificateAuthority(), certificateAuthority()]);
    const [server, own] = await Promise.all([ours.sign('broker', ['DNS:localhost', 'IP:127.0.0.1']), ours.sign('player')]);
    client = own;
    broker = await startPrivateBroker({
      vhost: VHOST,
      definitions: definitions({ vhost: VHOST, passwordOf }),
      tls: { ...server, ca: ours.ca },
    });
    administrator = await connected(ADMIN.name, ADMIN.password);
    models = [];
    admin = await administrator.createConfirmChannel();
  }, 600_000);
  afterAll(async () => {
    await administrator?.close();
    await broker?.close();
    await Promise.all([ours?.close(), strangers?.close()]);
  }, 600_000);
  afterEach(async () => {
    await Promise.all(buses.splice(0).map((bus) => bus.close()));
    // What they had in hand is back in its queue then.
    await Promise.all(models.splice(0).map((model) => model.close().catch(() => undefined)));
    for (const one of serviceQueues) for (const name of [...queuesOf(one), deadLetterQueueOf(one.queue)]) await admin.purgeQueue(name);
  });

  async function connected(user: string, password = passwordOf(user)): Promise<ChannelModel> {
    const model = await amqp.connect(broker.urlOf(user, password), { noDelay: true });
    model.on('error', () => undefined);
    models.push(model);
    return model;
  }

  /** Does things as a user, each on a channel that is still good, and says how the broker took it: `ok`, or the code of its refusal. */
  async function hand(user: string): Promise<(work: (channel: ConfirmChannel) => Promise<unknown>) => Promise<'ok' | number>> {
    const model = await connected(user);
    let channel: ConfirmChannel | undefined;
    return async (work) => {
      const now = (channel ??= await model.createConfirmChannel());
      const closed = new Promise<number>((resolve) => now.once('error', (error: { code: number }) => resolve(error.code)));
      const done = work(now).then(
        () => 'ok' as const,
        (error: { code?: number }) => error.code ?? closed,
      );
      const outcome = await Promise.race([done, closed]);
      if (outcome !== 'ok') channel = undefined;
      now.removeAllListeners('error').on('error', () => undefined);
      return outcome;
    };
  }

  const sent = (channel: ConfirmChannel, exchange: string, key: string, options: Options.Publish = {}, body = Buffer.from('{')) =>
    new Promise<void>((resolve, reject) =>
      channel.publish(exchange, key, body, options, (error) => (error ? reject(error as Error) : resolve())),
    );

  const open = async (service: Service, options: Partial<RabbitOptions> = {}): Promise<Bus> => {
    const url = broker.urlOf(service, passwordOf(service));
    const bus = await rabbitBus({
      url,
      service,
      declare: false,
      checkSender: true,
      graceMs: 200,
      connectMs: LONG_MS,
      log: quiet,
      ...options,
    });
    buses.push(bus);
    return bus;
  };

  describe.each(USERS)('the user %s', (user) => {
    it('may send exactly the messages of its contracts', async () => {
      const does = await hand(user);
      const allowed: string[] = [];
      const keysFor = ({ name }: { readonly name: string }) => [name, routeFor({ type: name as ContractName, subject: 't' }).key];
      for (const contract of contracts.all)
        for (const exchange of ['commands', 'events'])
          for (const key of new Set(keysFor(contract))) {
            const outcome = await does((channel) => sent(channel, exchange, key));
            expect([key, exchange, outcome]).toEqual([key, exchange, outcome === 'ok' ? 'ok' : 403]);
            if (outcome === 'ok') allowed.push(`${contract.kind}s ${exchange} ${key}`);
          }
      const said = contracts.all.filter(({ from }) => (from as readonly string[]).includes(user));
      expect(allowed).toEqual(said.flatMap((one) => [...new Set(keysFor(one))].map((key) => `${one.kind}s ${one.kind}s ${key}`)));
    });

    it('may bind its own queues only to its broadcast events', async () => {
      const does = await hand(user);
      const queue = subscriptionQueueOf(user, randomUUID());
      const declared = await does((channel) => channel.assertQueue(queue, { exclusive: true }));
      expect(declared).toBe((SERVICES as readonly string[]).includes(user) ? 'ok' : 403);
      const allowed: string[] = [];
      const keys = [...contracts.all.map(({ name }) => name), '#', '*', '*.*', 'table.*', 'room.#', ''];
      for (const exchange of ['commands', 'events'])
        for (const key of keys) {
          const outcome = await does((channel) => channel.bindQueue(queue, exchange, key));
          if (outcome === 'ok') allowed.push(`${exchange} ${key}`);
          else expect([key, outcome]).toEqual([key, 403]);
        }
      const heard = contracts.all.filter(({ name, to }) => BROADCAST_EVENTS.includes(name) && (to as readonly string[]).includes(user));
      // Nothing ever has an empty key.
      const nothing = heard.length > 0 ? ['events '] : [];
      expect(allowed.filter((one) => !nothing.includes(one))).toEqual(heard.map(({ name }) => `events ${name}`));
    });

    it('may reply to its requesters, and receive only its own replies', async () => {
      const does = await hand(user);
      const answered: string[] = [];
      for (const asker of [...USERS, 'nobody'])
        if ((await does((channel) => sent(channel, 'answers', replyQueueOf(asker, randomUUID())))) === 'ok') answered.push(asker);
      const asked = contracts.all.filter(({ to, reply }) => reply && (to as readonly string[]).includes(user)).flatMap(({ from }) => from);
      expect(answered).toEqual([...new Set<string>(asked)].toSorted());
      const queue = replyQueueOf(user, randomUUID());
      await does((channel) => channel.assertQueue(queue, { exclusive: true }));
      const bound: string[] = [];
      for (const key of [...USERS.map((one) => replyQueueOf(one, randomUUID())), '#', `reply.${user}.*`, `reply.${user}.#`])
        if ((await does((channel) => channel.bindQueue(queue, 'answers', key))) === 'ok') bound.push(key.split('.')[1]!);
      expect(bound).toEqual((SERVICES as readonly string[]).includes(user) ? [user] : []);
    });

    it('reads its own queue, and the operator the dead letters', async () => {
      const does = await hand(user);
      const all = serviceQueues.flatMap((one) => [
        ...queuesOf(one),
        deadLetterQueueOf(one.queue),
        ...DELAYS_MS.map((ms) => delayQueueOf(one.queue, ms)),
      ]);
      const read: string[] = [];
      for (const queue of [...all, 'unrouted']) {
        const outcome = await does((channel) => channel.consume(queue, () => undefined));
        if (outcome === 'ok') read.push(queue);
        else expect([queue, outcome]).toEqual([queue, 403]);
        // Whoever may take from a queue may empty it too: RabbitMQ knows no difference.
        if (outcome !== 'ok') expect([queue, await does((channel) => channel.purgeQueue(queue))]).toEqual([queue, 403]);
      }
      const dead = [...serviceQueues.map(({ queue }) => deadLetterQueueOf(queue)), 'unrouted'];
      expect(read).toEqual(user === 'operator' ? dead : serviceQueues.flatMap((one) => (one.queue === user ? queuesOf(one) : [])));
    });

    it('may dead-letter only its own messages, and bypass no exchange', async () => {
      const does = await hand(user);
      const allowed: string[] = [];
      for (const { queue } of serviceQueues)
        if ((await does((channel) => sent(channel, asideExchangeOf(queue), deadLetterQueueOf(queue)))) === 'ok') allowed.push(queue);
      const own = serviceQueues.flatMap(({ queue }) => (queue === user ? [user] : []));
      expect(allowed).toEqual(user === 'operator' ? serviceQueues.map(({ queue }) => queue) : own);
      for (const exchange of ['', 'unrouted', 'amq.topic', 'amq.direct', 'amq.fanout'])
        expect([exchange, await does((channel) => sent(channel, exchange, 'gamemaster'))]).toEqual([exchange, 403]);
    });

    it('may not declare, delete or bind durable queues and exchanges', async () => {
      const does = await hand(user);
      const works: Record<string, (channel: ConfirmChannel) => Promise<unknown>> = {
        'a new queue': (channel) => channel.assertQueue('mine', { durable: true }),
        'a queue of the name of a service': (channel) => channel.assertQueue(`${user}.mine`, { durable: true }),
        'a queue as if for somebody else': (channel) => channel.assertQueue(replyQueueOf('nobody', randomUUID()), { exclusive: true }),
        'a queue without a name': (channel) => channel.assertQueue('', { exclusive: true }),
        'a new exchange': (channel) => channel.assertExchange('mine', 'fanout'),
        'an exchange that is there': (channel) => channel.assertExchange('commands', 'topic'),
        'to be rid of an exchange': (channel) => channel.deleteExchange('commands'),
        'more for the queue of the gamemaster': (channel) => channel.bindQueue('gamemaster', 'events', 'room.line'),
        'less for the queue of the gamemaster': (channel) => channel.unbindQueue('gamemaster', 'commands', 'table.act'),
      };
      for (const { queue } of serviceQueues) {
        works[`to be rid of ${queue}`] = (channel) => channel.deleteQueue(queue);
        works[`to be rid of ${deadLetterQueueOf(queue)}`] = (channel) => channel.deleteQueue(deadLetterQueueOf(queue));
        works[`more for ${queue}`] = (channel) => channel.bindQueue(queue, 'events', 'table.moved');
      }
      const outcomes: Record<string, unknown> = {};
      for (const [what, work] of Object.entries(works)) outcomes[what] = await does(work);
      expect(outcomes).toEqual(Object.fromEntries(Object.keys(works).map((what) => [what, 403])));
    });

    it('cannot send under another name', async () => {
      const does = await hand(user);
      const mine = contracts.all.find(({ from }) => (from as readonly string[]).includes(user));
      if (!mine) return;
      const outcomes = [];
      for (const userId of [user, 'admin', user === 'web' ? 'player' : 'web'])
        outcomes.push(await does((channel) => sent(channel, `${mine.kind}s`, mine.name, { userId })));
      expect(outcomes).toEqual(['ok', 406, 406]);
    });
  });

  it.each(['', LOCKED_OUT, 'guest'])('rejects users without a password, given the password "%s"', async (password) => {
    await expect(connected(LOCKED_OUT, password)).rejects.toThrow(/ACCESS.REFUSED/);
    await expect(connected('guest', password)).rejects.toThrow(/ACCESS.REFUSED/);
  });

  it('denies access to reply queues of others', async () => {
    const theirs = await connected('web');
    const queue = replyQueueOf('web', randomUUID());
    await (await theirs.createChannel()).assertQueue(queue, { exclusive: true });
    const does = await hand('player');
    const works: ((channel: ConfirmChannel) => Promise<unknown>)[] = [
      (channel) => channel.get(queue),
      (channel) => channel.consume(queue, () => undefined),
      (channel) => channel.bindQueue(queue, 'events', 'room.line'),
      (channel) => channel.assertQueue(queue, { exclusive: true }),
      (channel) => channel.deleteQueue(queue),
      (channel) => channel.purgeQueue(queue),
    ];
    for (const work of works) expect(await does(work)).toBe(403);
    // Not even another connection of the same user.
    expect(await (await hand('web'))((channel) => channel.get(queue))).toBe(405);
  });

  const example = <N extends ContractName>(name: N, source: string): Message<N> => {
    const data = contracts.get(name).example as never;
    const about = { id: randomUUID(), source, subject: 't', at: Date.now(), replyBy: Date.now() + LONG_MS };
    return contracts.write(name, data, about) as unknown as Message<N>;
  };
  const answerTo = (name: ContractName) => ({ performative: 'inform', data: contracts.get(name).replyExample }) as never;

  it('delivers every command and event from each sender to each receiver, with its reply', async () => {
    const all = new Map<string, Bus>();
    for (const service of SERVICES) all.set(service, await open(service));
    const heard: string[] = [];
    for (const { queue, types, isSingle } of serviceQueues)
      await all.get(queue)!.consume(queue, types as ContractName[], { concurrency: 10, isSingle }, async ({ type, source }) => {
        heard.push(`${source} ${type} ${queue}`);
        return contracts.get(type).reply ? answerTo(type) : undefined;
      });
    for (const service of SERVICES) {
      const doorbells = contracts.all
        .filter(({ name, to }) => BROADCAST_EVENTS.includes(name) && to.includes(service))
        .map(({ name }) => name as ContractName);
      if (doorbells.length > 0)
        await all.get(service)!.subscribe(doorbells, async ({ type, source }) => void heard.push(`${source} ${type} ${service}`));
    }
    const everything = contracts.all.flatMap((contract) => contract.from.map((source) => ({ contract, source })));
    await Promise.all(
      everything.map(async ({ contract, source }) => {
        const name = contract.name as ContractName;
        if (!contract.reply) return all.get(source)!.publish(example(name, source));
        const reply = await all.get(source)!.request(example(name, source));
        expect(reply).toEqual({ performative: 'inform', data: contract.replyExample });
      }),
    );
    const expected = everything.flatMap(({ contract, source }) => contract.to.map((to) => `${source} ${contract.name} ${to}`));
    await eventually(() => expect(heard.toSorted()).toEqual(expected.toSorted()));
  });

  it('lets services retry, dead-letter and forward; resending keeps the first sender', async () => {
    const [player, chatroom, master] = [await open('player'), await open('chatroom'), await open('gamemaster')];
    let isBroken = false;
    const tried: string[] = [];
    await master.consume(
      'gamemaster',
      ['table.act', 'table.join', 'table.view'],
      { concurrency: 1 },
      async ({ type, source }, { attempt }) => {
        tried.push(`${source} ${type} ${attempt}`);
        if (type === 'table.join' && attempt === 1) throw new Error('not yet');
        if (type === 'table.act' && isBroken) throw new PermanentError('never');
        return answerTo(type);
      },
    );
    await chatroom.consume('chatroom', ['room.speak'], { concurrency: 1 }, async ({ id, source, subject, replyby }, delivery) => {
      const { example: data } = contracts.get('table.act');
      await delivery.forward(contracts.write('table.act', data, { id, source, subject, at: 0, replyBy: Date.parse(replyby!) }));
    });
    expect(await player.request(example('table.join', 'player'))).toMatchObject({ performative: 'inform' });
    expect(await player.request(example('room.speak', 'player'))).toMatchObject({ performative: 'inform' });
    isBroken = true;
    const message = example('table.act', 'player');
    expect(await player.request(message)).toEqual({ performative: 'failure', data: { reason: 'failed' } });
    expect(tried.splice(0)).toEqual(['player table.join 1', 'player table.join 2', 'player table.act 1', 'player table.act 1']);
    isBroken = false;
    const operator = broker.urlOf('operator', passwordOf('operator'));
    expect(await readDeadLetters(operator, 'gamemaster', 10)).toMatchObject([{ id: message.id, reason: 'gave-up' }]);
    await expect(readDeadLetters(broker.urlOf('player', passwordOf('player')), 'gamemaster', 1)).rejects.toThrow(/ACCESS.REFUSED/);
    expect(await resendDeadLetters(operator, 'gamemaster', 'all')).toEqual([message.id]);
    await eventually(() => expect(tried).toEqual(['player table.act 1']));
    expect(await readDeadLetters(operator, 'gamemaster', 10)).toEqual([]);
  });

  it('keeps one gateway active and the other on standby', async () => {
    const taken: string[] = [];
    const gateways = [await open('llm-gateway'), await open('llm-gateway')];
    for (const [n, bus] of gateways.entries())
      await bus.consume('llm-gateway', ['llm.cancel'], { concurrency: 1, isSingle: true }, async () => void taken.push(`${n}`));
    const player = await open('player');
    for (let n = 0; n < 3; n++) await player.publish(example('llm.cancel', 'player'));
    await eventually(() => expect(taken).toEqual(['0', '0', '0']));
    await gateways[0]!.close();
    await player.publish(example('llm.cancel', 'player'));
    await eventually(() => expect(taken).toEqual(['0', '0', '0', '1']));
  });

  it('drops messages with a forged source', async () => {
    const forgedBy = async (why: string) =>
      (await metrics.forged.get()).values.filter(({ labels }) => labels.reason === why).reduce((sum, { value }) => sum + value, 0);
    const before = await Promise.all(['no-user', 'other-user', 'not-its-type', 'reply-to'].map(forgedBy));
    const heard: string[] = [];
    const [master, chatroom] = [await open('gamemaster'), await open('chatroom')];
    await master.consume('gamemaster', ['table.act', 'table.tick'], { concurrency: 1 }, async ({ id, type }) => {
      heard.push(id);
      return type === 'table.act' ? answerTo(type) : undefined;
    });
    await chatroom.consume('chatroom', ['room.said', 'room.speak'], { concurrency: 1 }, async ({ id, type }) => {
      heard.push(id);
      return type === 'room.speak' ? answerTo(type) : undefined;
    });
    const does = await hand('player');
    const say = (message: Message, options: Options.Publish) =>
      does((channel) => sent(channel, 'commands', message.type, options, Buffer.from(JSON.stringify(message))));
    const forgeries: [Message, Options.Publish][] = [
      [example('table.act', 'player'), {}],
      [example('table.act', 'web'), { userId: 'player' }],
      [example('table.act', 'web'), { userId: 'player', headers: { 'x-sender': 'web' } }],
      [example('table.act', 'player'), { userId: 'player', type: 'table.act', replyTo: replyQueueOf('web', randomUUID()) }],
    ];
    for (const [message, options] of forgeries) expect(await say(message, options)).toBe('ok');
    // RabbitMQ 3 looks at the first routing key alone, so that a copy may go where the sender may not write; later ones look at all of them.
    const copied = Buffer.from(JSON.stringify(example('table.tick', 'gamemaster')));
    const outcome = await does((channel) => sent(channel, 'commands', 'room.speak', { userId: 'player', CC: ['table.tick'] }, copied));
    const copies = outcome === 'ok' ? 1 : 0;
    const [act, speech] = [example('table.act', 'player'), example('room.speak', 'player')];
    const player = await open('player');
    await player.request(act);
    await player.request(speech);
    expect(heard).toEqual([act.id, speech.id]);
    const after = await Promise.all(['no-user', 'other-user', 'not-its-type', 'reply-to'].map(forgedBy));
    expect(after.map((n, i) => n - before[i]!)).toEqual([1, 2, copies, 1]);
  });

  it('matches the declarations of the bus', async () => {
    const url = broker.urlOf(ADMIN.name, ADMIN.password);
    const bus = await rabbitBus({ url, service: 'gamemaster', connectMs: LONG_MS, log: quiet });
    buses.push(bus);
    const [one] = serviceQueues.filter(({ queue }) => queue === 'gamemaster');
    const pool = await bus.consume('gamemaster', one!.types as ContractName[], { concurrency: 1 }, async () => undefined);
    await pool.stop();
  });

  describe('a bus', () => {
    const refused = async (options: Partial<RabbitOptions>) =>
      open('gamemaster', options).then(
        () => 'it was let in',
        (error: Error) => error.message,
      );

    it('without the right to declare names AMQP_DECLARE=no', async () => {
      expect(await refused({ declare: true })).toMatch(/ACCESS_REFUSED.*unrouted.*set AMQP_DECLARE=no/);
    });

    it('names the missing exchange with AMQP_DECLARE=no', async () => {
      const url = broker.urlOf('gamemaster', passwordOf('gamemaster'), 'empty');
      expect(await refused({ url })).toMatch(
        /the exchange unrouted is not on the broker, and AMQP_DECLARE=no: import infra\/rabbitmq\/definitions\.json/,
      );
    });

    it('checks senders only under its own name', async () => {
      const url = broker.urlOf('web', passwordOf('web'));
      expect(await refused({ url })).toMatch(
        /AMQP_CHECK_SENDER=yes needs a broker user per service: the user in AMQP_URL is web, the service gamemaster/,
      );
    });

    it('rejects a forbidden publish, and continues', async () => {
      const bus = await open('player', { checkSender: false });
      const outcomes = await Promise.allSettled([
        bus.publish(example('table.act', 'player')),
        bus.publish(example('table.tick', 'gamemaster')),
        bus.publish(example('room.read', 'player')),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect((outcomes[1] as PromiseRejectedResult).reason).toMatchObject({
        message: expect.stringMatching(/the broker does not allow player to send table\.tick\.\d to commands: .*ACCESS.REFUSED/),
      });
    });
  });

  describe('an encrypted connection', () => {
    const over = async (tls: RabbitOptions['tls'], host?: string) => {
      const url = broker.tlsUrlOf('player', passwordOf('player'), host);
      return open('player', { url, tls }).then(
        (bus) => bus.isUp(),
        (error: Error) => error.message,
      );
    };

    it('is made when both certificates are trusted and match the host name or IP', async () => {
      expect(await over({ ca: ours!.ca, ...client })).toBe(true);
      expect(await over({ ca: ours!.ca, ...client }, 'localhost')).toBe(true);
    });

    it('carries requests, dead letters too', async () => {
      const at = { url: broker.tlsUrlOf('operator', passwordOf('operator')), tls: { ca: ours!.ca, ...client } };
      expect(await readDeadLetters(at, 'player', 1)).toEqual([]);
      await expect(readDeadLetters({ url: at.url }, 'player', 1)).rejects.toThrow(/signed by nobody we trust .*AMQP_CA_FILE/);
    });

    it('is refused for an untrusted or wrong server certificate, naming the variable', async () => {
      expect(await over({ ...client })).toMatch(/signed by nobody we trust \(.*\): set AMQP_CA_FILE/);
      expect(await over({ ca: strangers!.ca, ...client })).toMatch(/signed by nobody we trust .*: set AMQP_CA_FILE/);
      expect(await over({ ca: ours!.ca, ...client, serverName: 'broker.example' })).toMatch(
        /is for DNS:localhost, IP Address:127\.0\.0\.1, which is not whom we asked for/,
      );
    });

    it('is refused without a trusted client certificate, naming the variables', async () => {
      expect(await over({ ca: ours!.ca })).toMatch(/does not take our certificate, or wants one .*: set AMQP_CERT_FILE and AMQP_KEY_FILE/);
      const stranger = await strangers!.sign('player');
      expect(await over({ ca: ours!.ca, ...stranger })).toMatch(/does not take our certificate, or wants one/);
      expect(await over({ ca: ours!.ca, cert: client.cert, key: stranger.key })).toMatch(/AMQP_KEY_FILE is not the key of AMQP_CERT_FILE/);
    });

    it('is refused without TLS at the port, and certificates without TLS or key', async () => {
      const plain = new URL(broker.urlOf('player', passwordOf('player')));
      plain.protocol = 'amqps:';
      const tls = { ca: ours!.ca, ...client };
      await expect(open('player', { url: plain.href, tls })).rejects.toThrow(/does not speak TLS/);
      plain.protocol = 'amqp:';
      await expect(open('player', { url: plain.href, tls })).rejects.toThrow(/without TLS.*write amqps:\/\//);
      await expect(open('player', { url: broker.tlsUrlOf('player', 'x'), tls: { ca: tls.ca, cert: tls.cert } })).rejects.toThrow(
        /go together/,
      );
    });
  });
});
