import { describe } from '@jest/globals';
import { agentConnectionSuite } from './agent-connection.suite.ts';
import { connectLines } from './agents.suite.ts';
import { startLineServer } from './line-server.ts';

describe('over TCP', () => {
  agentConnectionSuite(startLineServer, connectLines);
});
