import { reportUsage } from '../measured-process.ts';
import { inProcessWeb } from '../../web/in-process-web.ts';

const MANY = 100_000;

/** The process of a system without minds, with room for as many readers as are asked for. */
const system = await inProcessWeb({
  maxStreams: MANY,
  maxStreamsPerToken: MANY,
  maxConnections: MANY,
  maxConnectionsPerClient: MANY,
  perToken: MANY,
  tokenBurst: MANY,
  pollMs: 5_000,
});
reportUsage(system.url);
