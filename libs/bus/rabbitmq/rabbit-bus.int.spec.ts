import { describe } from '@jest/globals';
import { busSuite } from '../suites/bus.suite.ts';
import { brokerForTests, rabbitFixture } from './rabbit-fixture.suite.ts';
import { recoverySuite } from './recovery.suite.ts';
import { topologySuite } from './topology.suite.ts';

// The bus over RabbitMQ; skipped by name where AMQP_URL does not say which broker to use.
const url = brokerForTests ?? '';
const here = brokerForTests ? describe : describe.skip;
const reason = brokerForTests ? '' : ' (skipped: AMQP_URL is not set)';

here(`the bus over RabbitMQ${reason}`, () => {
  busSuite('RabbitMQ', () => rabbitFixture(url));
});
here(`RabbitMQ heals${reason}`, () => {
  recoverySuite(() => rabbitFixture(url));
});
here(`what is on the broker${reason}`, () => {
  topologySuite(() => rabbitFixture(url), url);
});
