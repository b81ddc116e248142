import { describe } from '@jest/globals';
import { busSuite } from '../suites/bus.suite.ts';
import { brokerForTests, rabbitFixture, rabbitFixtures } from './rabbit-fixture.suite.ts';
import { recoverySuite } from './recovery.suite.ts';
import { declarationSuite, topologySuite } from './topology.suite.ts';

// The bus over RabbitMQ; skipped by name where AMQP_URL does not say which broker to use.
const url = brokerForTests ?? '';
const here = brokerForTests ? describe : describe.skip;
const reason = brokerForTests ? '' : ' (skipped: AMQP_URL is not set)';

here(`the bus over RabbitMQ${reason}`, () => {
  busSuite('RabbitMQ', rabbitFixtures(url));
});
here(`RabbitMQ heals${reason}`, () => {
  recoverySuite(rabbitFixtures(url));
});
here(`what is on the broker${reason}`, () => {
  declarationSuite(() => rabbitFixture(url));
  topologySuite(rabbitFixtures(url), url);
});
