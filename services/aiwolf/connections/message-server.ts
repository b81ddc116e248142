import { createServer, type IncomingMessage, type Server } from 'node:http';
import { namePacket } from '@maw/aiwolf/server/natural.ts';
import { isOtherOrigin } from '@maw/service/loopback.ts';
import { type VerifyClientCallbackAsync, type WebSocket, WebSocketServer } from 'ws';
import { addressLimit } from './address-limit.ts';
import type { AgentServer } from './agent-connection.ts';
import { type Conversation, GOING_AWAY, startConversation } from './conversation.ts';
import { type Rejection, teamOfToken } from '@maw/aiwolf/server/player-token.ts';
import { ENDLESS, NOT_TEXT, readText, tooLong } from './received.ts';
import { register } from './registration.ts';
import { type AgentServerOptions, listen, loggingFrom, type Settings, settingsOf } from './server-options.ts';

interface MessageServerOptions extends AgentServerOptions {
  /** Where agents connect. Default: `/ws`. */
  readonly path?: string;
  /** Agents must show a token that is signed with it. */
  readonly secret?: string | undefined;
}

const NAME = JSON.stringify(namePacket);
const KEEP_ALIVE_MS = 30_000;
/** For the request of an agent that connects. */
const HEADERS_MS = 10_000;
/** Connections beyond the limit that are told so; more are cut. */
const SPARE_CONNECTIONS = 50;
/** A message may come in so many parts. */
const MAX_FRAGMENTS = 1_024;
const MAX_CHUNKS = 16_384;

/**
 * Listens for agents of the natural-language division: WebSocket, a message is a packet or an answer.
 * @throws Error with the `code` of the system when the address cannot be listened on
 */
export async function startMessageServer({ path = '/ws', secret, ...options }: MessageServerOptions): Promise<AgentServer> {
  const settings = settingsOf(options);
  const conversations = new Set<Conversation>();
  const limit = addressLimit(settings.maxPerAddress);
  const teams = new WeakMap<IncomingMessage, string>();
  const server = httpServer(settings, path);
  const admit = async (req: IncomingMessage): Promise<Rejection | undefined> => {
    if (req.url?.split('?')[0] !== path) return { status: 404, why: `agents connect to ${path}` };
    if (isOtherOrigin(req.headers)) return { status: 403, why: 'agents connect here, not pages of other sites' };
    if (!limit.admits(req.socket)) return { status: 429, why: 'too many connections from your address' };
    if (conversations.size >= settings.maxConnections) return { status: 503, why: 'too many connections' };
    if (secret === undefined) return undefined;
    const found = await teamOfToken(req, secret, settings.now());
    if ('status' in found) return found;
    teams.set(req, found.team);
    return undefined;
  };
  const sockets = new WebSocketServer({
    ...limitsOf(settings),
    verifyClient: ({ req }, done) => void admit(req).then((rejection) => answerUpgrade(rejection, done, loggingFrom(req.socket, settings))),
  });
  server.on('upgrade', (req, stream, head) => {
    sockets.handleUpgrade(req, stream, head, (socket) => {
      const own = loggingFrom(req.socket, settings);
      const conversation = converse(socket, own);
      conversations.add(conversation);
      void conversation.closed.then(() => conversations.delete(conversation));
      void register(conversation, { packet: NAME, team: teams.get(req), address: req.socket.remoteAddress }, own);
    });
  });
  return {
    url: (await listen(server, 'ws', settings)) + path,
    close() {
      sockets.close(); // an agent whose token is being checked is refused
      return closeAll(server, conversations);
    },
  };
}

type Done = Parameters<VerifyClientCallbackAsync>[1];

function answerUpgrade(rejection: Rejection | undefined, done: Done, { log }: Settings): void {
  if (!rejection) return done(true);
  const { status, why } = rejection;
  log.info({ status, why }, 'agent refused');
  done(false, status, why, status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {});
}

function httpServer({ maxConnections }: Settings, path: string): Server {
  const times = { headersTimeout: HEADERS_MS, requestTimeout: HEADERS_MS, connectionsCheckingInterval: HEADERS_MS / 4 };
  const server = createServer({ ...times, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS }, (_req, res) => {
    res.writeHead(426, { 'Content-Type': 'text/plain', 'Connection': 'close' }).end(`Agents connect here by WebSocket, to ${path}.\n`);
  });
  server.maxConnections = maxConnections + SPARE_CONNECTIONS;
  return server;
}

const limitsOf = ({ maxTextBytes, closeMs }: Settings) => ({
  maxPayload: ENDLESS * maxTextBytes,
  maxFragments: MAX_FRAGMENTS,
  maxBufferedChunks: MAX_CHUNKS,
  closeTimeout: closeMs,
  noServer: true,
  perMessageDeflate: false,
  clientTracking: false,
});

async function closeAll(server: Server, conversations: ReadonlySet<Conversation>): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections(); // those that have not become a WebSocket
  await Promise.all([closed, ...[...conversations].map((conversation) => conversation.close(GOING_AWAY, 'the server is closing'))]);
}

function converse(socket: WebSocket, settings: Settings): Conversation {
  const conversation = startConversation(
    {
      send: (text) => socket.send(text),
      backlogBytes: () => socket.bufferedAmount,
      close: (code, reason) => socket.close(code, reason),
      cut: () => socket.terminate(),
    },
    settings,
  );
  socket.on('message', (data) => conversation.receive(readText(data as Buffer, settings.maxTextBytes)));
  socket.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') conversation.receive(tooLong(settings.maxTextBytes));
    if (code === 'WS_ERR_INVALID_UTF8') conversation.receive(NOT_TEXT);
  });
  socket.on('close', conversation.end);
  return conversation;
}
