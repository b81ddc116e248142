import { metrics } from '@maw/telemetry/metrics.ts';
import type { Board } from './board.ts';
import { lines, matrix } from './panels.ts';
import { over, quantile, rate } from './promql.ts';

export const agentTraffic: Board = {
  uid: 'maw-agents',
  title: 'MAW: Agent traffic',
  says: 'Which agents say how much to whom, what is refused, and how well the minds answer.',
  rows: [
    {
      title: 'Messages',
      panels: [
        matrix({
          title: 'Who speaks to whom',
          says: 'Messages a second that were taken: from the agent at the left to the agent at the top. unknown: an answer that came too late, or what cannot be read.',
          unit: 'cps',
          expr: rate(metrics.messagesTaken, { by: ['sender', 'service'] }),
          down: 'sender',
          across: 'service',
        }),
        matrix({
          title: 'What is said by whom',
          says: 'Messages a second that were sent and confirmed, by type and sender.',
          unit: 'cps',
          expr: rate(metrics.messagesSent, { by: ['type', 'service'] }),
          down: 'type',
          across: 'service',
        }),
        lines({
          title: 'Sent, by type',
          says: 'Messages sent and confirmed by the broker.',
          unit: 'cps',
          isStacked: true,
          of: [{ expr: rate(metrics.messagesSent, { by: ['type'] }), legend: '{{type}}' }],
        }),
        lines({
          title: 'Sent, by performative',
          says: 'The communicative acts (FIPA) of all messages: request, agree, refuse, inform, query-ref, failure.',
          unit: 'cps',
          isStacked: true,
          of: [{ expr: rate(metrics.messagesSent, { by: ['performative'] }), legend: '{{performative}}' }],
        }),
        lines({
          title: 'From whom to whom',
          says: 'The same as the first table, over time.',
          unit: 'cps',
          of: [{ expr: rate(metrics.messagesTaken, { by: ['sender', 'service'] }), legend: '{{sender}} → {{service}}' }],
        }),
        lines({
          title: 'What came of messages',
          says: 'Messages taken, by outcome. late: nobody waited for it any more.',
          unit: 'cps',
          of: [{ expr: rate(metrics.messagesTaken, { by: ['outcome'] }), legend: '{{outcome}}' }],
        }),
        lines({
          title: 'Time in hand',
          says: 'From taking a message to its acknowledgement, 95 %. seat.decide lasts as long as a mind thinks.',
          unit: 's',
          hasTraces: true,
          of: [{ expr: quantile(0.95, metrics.messageSeconds, { by: ['service', 'type'] }), legend: '{{service}}: {{type}}' }],
        }),
        lines({
          title: 'Time to an answer',
          says: 'From a request to its answer, sending it again included, 95 %.',
          unit: 's',
          hasTraces: true,
          of: [{ expr: quantile(0.95, metrics.answerSeconds, { by: ['service', 'type'] }), legend: '{{service}}: {{type}}' }],
        }),
        lines({
          title: 'Asked again, and forged',
          says: 'Requests sent again because no answer came, and messages dropped because their sender is not who they say.',
          unit: 'cps',
          of: [
            { expr: rate(metrics.resent, { by: ['service', 'type'] }), legend: '{{service}} asked again: {{type}}' },
            { expr: rate(metrics.forged, { by: ['service', 'reason'] }), legend: '{{service}} dropped: {{reason}}' },
          ],
        }),
      ],
    },
    {
      title: 'What agents do at the tables',
      panels: [
        lines({
          title: 'Speech, votes and choices',
          says: 'Acts taken, by game and verb: say is speech, choose a vote or another choice, tell what is told in private.',
          unit: 'cps',
          isStacked: true,
          of: [{ expr: rate(metrics.acts, { by: ['rules', 'verb'] }), legend: '{{rules}}: {{verb}}' }],
        }),
        lines({
          title: 'Refused, by reason',
          says: 'What agents wanted to do and might not (docs/reasons.md).',
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
        lines({
          title: 'Answers, by what came of them',
          says: 'valid: allowed at once; repaired: after it was told what was wrong; defaulted: silence, the rules decided.',
          unit: 'cps',
          isStacked: true,
          of: [{ expr: rate(metrics.decisions, { by: ['outcome'] }), legend: '{{outcome}}' }],
        }),
        lines({
          title: 'Share of answers that were valid at once',
          says: 'By model and recipe. none: no model answered, or the recipe needs none.',
          unit: 'percentunit',
          of: [
            {
              expr: over(
                rate(metrics.decisions, { by: ['model', 'recipe'], where: { outcome: 'valid' } }),
                rate(metrics.decisions, { by: ['model', 'recipe'] }),
              ),
              legend: '{{model}}, {{recipe}}',
            },
          ],
        }),
        matrix({
          title: 'Answers a second, by recipe and outcome',
          says: 'How the recipes compare.',
          unit: 'cps',
          expr: rate(metrics.decisions, { by: ['recipe', 'outcome'] }),
          down: 'recipe',
          across: 'outcome',
        }),
        matrix({
          title: 'Answers a second, by model and outcome',
          says: 'How the models compare.',
          unit: 'cps',
          expr: rate(metrics.decisions, { by: ['model', 'outcome'] }),
          down: 'model',
          across: 'outcome',
        }),
        lines({
          title: 'Time of a decision',
          says: 'From a question to the answer of a mind, 95 %, by recipe and verb. The points lead to the trace of one decision.',
          span: 24,
          unit: 's',
          hasTraces: true,
          of: [{ expr: quantile(0.95, metrics.decisionSeconds, { by: ['recipe', 'verb'] }), legend: '{{recipe}}: {{verb}}' }],
        }),
      ],
    },
  ],
};
