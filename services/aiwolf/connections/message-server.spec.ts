import { describe } from '@jest/globals';
import { agentConnectionSuite } from './agent-connection.suite.ts';
import { connectMessages } from './agents.suite.ts';
import { startMessageServer } from './message-server.ts';

describe('over WebSocket', () => {
  agentConnectionSuite(startMessageServer, (url) => connectMessages(url));
});
