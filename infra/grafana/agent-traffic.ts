import { metrics } from '@maw/telemetry/metrics.ts';
import type { Board } from './board.ts';
import { timeSeries, matrix } from './panels.ts';
import { increase, max, ratio, quantile, rate, sum } from '../prometheus/promql.ts';

export const agentTraffic: Board = {
  uid: 'maw-agents',
  title: 'MAW: Agent traffic',
  says: 'Messages between agents, refusals, and the quality of answers.',
  rows: [
    {
      title: 'Messages',
      panels: [
        matrix({
          title: 'Messages by sender and receiver',
          says: 'Messages handled per second, from the agent at the left to the agent at the top. unknown: a late reply, or an unreadable message.',
          unit: 'cps',
          expr: rate(metrics.messagesTaken, { by: ['sender', 'service'] }),
          down: 'sender',
          across: 'service',
        }),
        matrix({
          title: 'Messages by type and sender',
          says: 'Messages sent and confirmed per second.',
          unit: 'cps',
          expr: rate(metrics.messagesSent, { by: ['type', 'service'] }),
          down: 'type',
          across: 'service',
        }),
        timeSeries({
          title: 'Sent, by type',
          says: 'Messages sent and confirmed by the broker.',
          unit: 'cps',
          isStacked: true,
          of: [{ expr: rate(metrics.messagesSent, { by: ['type'] }), legend: '{{type}}' }],
        }),
        timeSeries({
          title: 'Sent, by performative',
          says: 'The communicative acts (FIPA) of all messages: request, agree, refuse, inform, query-ref, failure.',
          unit: 'cps',
          isStacked: true,
          of: [{ expr: rate(metrics.messagesSent, { by: ['performative'] }), legend: '{{performative}}' }],
        }),
        timeSeries({
          title: 'Messages by sender and receiver, over time',
          says: 'The same as the first table, over time.',
          unit: 'cps',
          of: [{ expr: rate(metrics.messagesTaken, { by: ['sender', 'service'] }), legend: '{{sender}} → {{service}}' }],
        }),
        timeSeries({
          title: 'Message outcomes',
          says: 'Messages handled, by outcome. late: after its deadline.',
          unit: 'cps',
          of: [{ expr: rate(metrics.messagesTaken, { by: ['outcome'] }), legend: '{{outcome}}' }],
        }),
        timeSeries({
          title: 'Handling time',
          says: 'From delivery to acknowledgement, p95. seat.decide lasts as long as a mind thinks.',
          unit: 's',
          hasTraces: true,
          of: [{ expr: quantile(0.95, metrics.messageSeconds, { by: ['service', 'type'] }), legend: '{{service}}: {{type}}' }],
        }),
        timeSeries({
          title: 'Response time',
          says: 'From a request to its reply, with repeats, p95.',
          unit: 's',
          hasTraces: true,
          of: [{ expr: quantile(0.95, metrics.answerSeconds, { by: ['service', 'type'] }), legend: '{{service}}: {{type}}' }],
        }),
        timeSeries({
          title: 'Repeated requests and forged messages',
          says: 'Requests sent again for lack of a reply, and messages dropped because of a forged sender.',
          unit: 'cps',
          of: [
            { expr: rate(metrics.resent, { by: ['service', 'type'] }), legend: '{{service}} repeated: {{type}}' },
            { expr: rate(metrics.forged, { by: ['service', 'reason'] }), legend: '{{service}} dropped: {{reason}}' },
          ],
        }),
      ],
    },
    {
      title: 'Acts',
      panels: [
        timeSeries({
          title: 'Speech, votes and choices',
          says: 'Acts accepted, by game and verb: say (speech), choose (votes and other choices), tell (private lines).',
          unit: 'cps',
          isStacked: true,
          of: [{ expr: rate(metrics.acts, { by: ['rules', 'verb'] }), legend: '{{rules}}: {{verb}}' }],
        }),
        timeSeries({
          title: 'Refusals by reason',
          says: 'Acts that the rules did not allow (docs/reasons.md).',
          unit: 'cps',
          isStacked: true,
          of: [
            {
              expr: rate(metrics.refusals, { by: ['service', 'reason'], where: { service: { like: 'gamemaster|chatroom' } } }),
              legend: '{{service}}: {{reason}}',
            },
          ],
        }),
      ],
    },
    {
      title: 'Minds',
      panels: [
        timeSeries({
          title: 'Answers by outcome',
          says: 'valid: legal at once; repaired: legal after a correction; fallback: by the recipe, where no reply could be used; defaulted: no answer, the default of the rules applied.',
          unit: 'cps',
          isStacked: true,
          of: [{ expr: rate(metrics.decisions, { by: ['outcome'] }), legend: '{{outcome}}' }],
        }),
        timeSeries({
          title: 'Share of valid answers',
          says: 'By model and recipe. none: no model answered, or the recipe needs none.',
          unit: 'percentunit',
          of: [
            {
              expr: ratio(
                rate(metrics.decisions, { by: ['model', 'recipe'], where: { outcome: 'valid' } }),
                rate(metrics.decisions, { by: ['model', 'recipe'] }),
              ),
              legend: '{{model}}, {{recipe}}',
            },
          ],
        }),
        matrix({
          title: 'Answers by recipe and outcome',
          says: 'Answers per second, to compare recipes.',
          unit: 'cps',
          expr: rate(metrics.decisions, { by: ['recipe', 'outcome'] }),
          down: 'recipe',
          across: 'outcome',
        }),
        matrix({
          title: 'Answers by model and outcome',
          says: 'Answers per second, to compare models.',
          unit: 'cps',
          expr: rate(metrics.decisions, { by: ['model', 'outcome'] }),
          down: 'model',
          across: 'outcome',
        }),
        timeSeries({
          title: 'Decision time',
          says: 'From a question to the answer of a mind, p95, by recipe and verb. The points link to traces.',
          span: 24,
          unit: 's',
          hasTraces: true,
          of: [{ expr: quantile(0.95, metrics.decisionSeconds, { by: ['recipe', 'verb'] }), legend: '{{recipe}}: {{verb}}' }],
        }),
        timeSeries({
          title: 'Decision time by model',
          says: 'The same by the model that answered, p95. none: no model did, or the recipe needs none.',
          span: 24,
          unit: 's',
          hasTraces: true,
          of: [
            {
              expr: quantile(0.95, metrics.decisionSeconds, { by: ['recipe', 'verb', 'model'] }),
              legend: '{{model}}, {{recipe}}: {{verb}}',
            },
          ],
        }),
      ],
    },
    {
      title: 'Outside agents',
      panels: [
        timeSeries({
          title: 'Connected agents and sets',
          says: 'Outside AIWolf agents that have told their name, and sets that have not ended.',
          unit: 'short',
          of: [
            { expr: sum(metrics.agentsConnected, { by: ['division'] }), legend: '{{division}}: agents' },
            { expr: sum(metrics.agentSets, { by: ['division'] }), legend: '{{division}}: sets' },
          ],
        }),
        timeSeries({
          title: 'Faults of outside agents',
          says: 'Answers that did not count. late: none in time; gone: the agent has hung up.',
          unit: 'cps',
          isStacked: true,
          of: [{ expr: rate(metrics.agentFaults, { by: ['division', 'fault'] }), legend: '{{division}}: {{fault}}' }],
        }),
        timeSeries({
          title: 'Answer time of outside agents',
          says: 'From a request to its answer, or until it was given up, p95.',
          span: 24,
          unit: 's',
          hasTraces: true,
          of: [{ expr: quantile(0.95, metrics.agentAnswerSeconds, { by: ['division', 'request'] }), legend: '{{division}}: {{request}}' }],
        }),
        timeSeries({
          title: 'Answer time of teams',
          says: 'To requests that every living agent gets, p95, by team: the name without its number. others: beyond fifty teams.',
          span: 24,
          unit: 's',
          hasTraces: true,
          of: [
            {
              expr: quantile(0.95, metrics.agentAnswerSeconds, { by: ['division', 'team'], where: { team: { not: '' } } }),
              legend: '{{division}}: {{team}}',
            },
          ],
        }),
      ],
    },
    {
      title: 'Contests',
      panels: [
        timeSeries({
          title: 'Running contests',
          says: 'Contests that are played now, at tables of the other services or in threads of the contest service (arena).',
          unit: 'short',
          of: [{ expr: sum(metrics.contestsRunning, { by: ['play'] }), legend: '{{play}}' }],
        }),
        timeSeries({
          title: 'Progress of running contests',
          says: 'The share of the pairings of each running contest that have a result.',
          unit: 'percentunit',
          of: [{ expr: max(metrics.contestShare, { by: ['contest'] }), legend: '{{contest}}' }],
        }),
        timeSeries({
          title: 'Tables of running contests',
          says: 'Tables that are played now. A contest in the arena has none.',
          unit: 'short',
          of: [{ expr: max(metrics.contestTables, { by: ['contest'] }), legend: '{{contest}}' }],
        }),
        timeSeries({
          title: 'Pairings of contests',
          says: 'Pairings that got a result, and tables that broke off and are played again, twice at most; then their pairing is void.',
          unit: 'short',
          of: [
            { expr: increase(metrics.contestPairings, { by: ['outcome'] }), legend: '{{outcome}}' },
            { expr: increase(metrics.contestTablesBroken, { by: ['ending'] }), legend: 'table {{ending}}' },
          ],
        }),
        timeSeries({
          title: 'Faults of agents in contests',
          says: 'late: no answer in time; defaulted: the rules chose; invalid: it was refused, or could not be read; crashed: its mind failed.',
          unit: 'cps',
          isStacked: true,
          of: [{ expr: rate(metrics.contestFaults, { by: ['kind'] }), legend: '{{kind}}' }],
        }),
        timeSeries({
          title: 'Cost of contests',
          says: 'What their models cost by the prices of the contests, in their currency.',
          unit: 'short',
          of: [{ expr: increase(metrics.contestCost, { by: ['model'] }), legend: '{{model}}' }],
        }),
      ],
    },
  ],
};
