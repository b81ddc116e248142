import type { ExternalMetric } from './promql.ts';

const of = <const L extends string>(name: string, ...labels: L[]): ExternalMetric<L> => ({ name, labels });

/** Metrics of RabbitMQ 3.10 to 4 (https://www.rabbitmq.com/docs/prometheus), the runtime by prom-client, Prometheus. */
export const externalMetrics = {
  up: of('up'),
  alerts: of('ALERTS', 'alertname', 'alertstate', 'severity'),
  cpu: of('process_cpu_seconds_total'),
  memory: of('process_resident_memory_bytes'),
  loopLag: of('nodejs_eventloop_lag_p99_seconds'),

  queueReady: of('rabbitmq_detailed_queue_messages_ready', 'queue', 'vhost'),
  queueUnacknowledged: of('rabbitmq_detailed_queue_messages_unacked', 'queue', 'vhost'),
  queueConsumers: of('rabbitmq_detailed_queue_consumers', 'queue', 'vhost'),
  received: of('rabbitmq_global_messages_received_total', 'protocol'),
  confirmed: of('rabbitmq_global_messages_confirmed_total', 'protocol'),
  delivered: of('rabbitmq_global_messages_delivered_total', 'protocol'),
  acknowledged: of('rabbitmq_global_messages_acknowledged_total', 'protocol'),
  redelivered: of('rabbitmq_global_messages_redelivered_total', 'protocol'),
  brokerConnections: of('rabbitmq_connections'),
  brokerChannels: of('rabbitmq_channels'),
  brokerMemory: of('rabbitmq_process_resident_memory_bytes'),
  brokerMemoryLimit: of('rabbitmq_resident_memory_limit_bytes'),
  brokerDisk: of('rabbitmq_disk_space_available_bytes'),
} as const;
