import { createServer, type Server, type Socket } from 'node:net';
import { namePacket } from '@maw/aiwolf/server/protocol.ts';
import type { AgentServer } from './agent-connection.ts';
import { addressLimit } from './address-limit.ts';
import { type Channel, type Conversation, GOING_AWAY, startConversation } from './conversation.ts';
import { lineReader } from './line-reader.ts';
import { ENDLESS } from './received.ts';
import { register } from './registration.ts';
import { type AgentServerOptions, listen, loggingFrom, type Settings, settingsOf } from './server-options.ts';

const NAME = JSON.stringify(namePacket());
/** A machine that has vanished is noticed after about this time and a few probes of the system. */
const KEEP_ALIVE_MS = 30_000;

/**
 * Listens for agents of the protocol division: TCP, a line is a packet or an answer.
 * @throws Error with the `code` of the system when the address cannot be listened on
 */
export async function startLineServer(options: AgentServerOptions): Promise<AgentServer> {
  const settings = settingsOf(options);
  const conversations = new Set<Conversation>();
  const limit = addressLimit(settings.maxPerAddress);
  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS }, (socket) => {
    const own = loggingFrom(socket, settings);
    if (!limit.admits(socket)) {
      own.log.warn({ connections: settings.maxPerAddress }, 'agent refused: too many connections from its address');
      return void socket.destroy();
    }
    const conversation = converse(socket, own);
    conversations.add(conversation);
    void conversation.closed.then(() => conversations.delete(conversation));
    void register(conversation, { packet: NAME, address: socket.remoteAddress }, own);
  });
  server.maxConnections = settings.maxConnections;
  server.on('drop', () => settings.log.warn({ connections: settings.maxConnections }, 'agent refused: too many connections'));
  return {
    url: await listen(server, 'tcp', settings),
    close: () => closeAll(server, conversations),
  };
}

async function closeAll(server: Server, conversations: ReadonlySet<Conversation>): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  for (const conversation of conversations) void conversation.close(GOING_AWAY, 'the server is closing');
  await closed;
}

function converse(socket: Socket, settings: Settings): Conversation {
  const channel = channelOf(socket, settings);
  const conversation = startConversation(channel, settings);
  const maxBytes = settings.maxTextBytes;
  const read = lineReader(maxBytes, conversation.receive, (bytes) => {
    if (bytes > ENDLESS * maxBytes) channel.cut();
  });
  socket.on('data', read);
  socket.on('end', () => channel.close(0, ''));
  socket.on('error', () => undefined); // `close` follows
  socket.on('close', conversation.end);
  return conversation;
}

function channelOf(socket: Socket, { closeMs }: Settings): Channel {
  let timer: NodeJS.Timeout | undefined;
  socket.once('close', () => clearTimeout(timer));
  return {
    send: (text) => void socket.write(`${text}\n`),
    backlogBytes: () => socket.writableLength,
    close(code, reason) {
      if (socket.destroyed) return;
      // No agent reads it, but whoever looks at what came last learns why.
      if (reason && code !== GOING_AWAY) socket.write(`${JSON.stringify({ closed: reason })}\n`);
      socket.end();
      timer ??= setTimeout(() => socket.destroy(), closeMs);
    },
    cut: () => void socket.destroy(),
  };
}
