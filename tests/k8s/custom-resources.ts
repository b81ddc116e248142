/**
 * Kinds whose definitions are in no package that is installed here: the fields of them that we use, by hand, each with its source. A field that is
 * not here is a fault, and has to be looked up before it is added. No package of npm was found for the broker and the backups; the
 * Prometheus operator has @kubernetes-models/prometheus-operator, and these few fields are instead of it.
 */
import type { IComGithubCloudnativePgBarmanCloudPkgApiBarmanObjectStoreConfiguration as StoreConfiguration } from '@kubernetes-models/cloudnative-pg/github.com/cloudnative-pg/barman-cloud/pkg/api/BarmanObjectStoreConfiguration';
import type { IIoK8sApimachineryPkgApisMetaV1LabelSelector as LabelSelector } from '@kubernetes-models/apimachinery/apis/meta/v1/LabelSelector';
import type { IIoK8sApimachineryPkgApisMetaV1ObjectMeta as ObjectMeta } from '@kubernetes-models/apimachinery/apis/meta/v1/ObjectMeta';
import type { IAffinity } from 'kubernetes-models/v1/Affinity';
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec';
import type { IResourceRequirements } from 'kubernetes-models/v1/ResourceRequirements';
import type { ISecretKeySelector } from 'kubernetes-models/v1/SecretKeySelector';

/** github.com/rabbitmq/cluster-operator: api/v1beta1/rabbitmqcluster_types.go, docs/api/rabbitmq.com.ref.asciidoc. */
export interface IRabbitmqCluster {
  apiVersion: 'rabbitmq.com/v1beta1';
  kind: 'RabbitmqCluster';
  metadata: ObjectMeta;
  spec: {
    replicas?: number;
    image?: string;
    persistence?: { storageClassName?: string; storage?: string };
    resources?: IResourceRequirements;
    affinity?: IAffinity;
    terminationGracePeriodSeconds?: number;
    rabbitmq?: { additionalConfig?: string };
    tls?: { secretName?: string; disableNonTLSListeners?: boolean };
    override?: { statefulSet?: { spec?: { template?: { spec?: IPodSpec } } } };
  };
}

/** github.com/cloudnative-pg/plugin-barman-cloud: api/v1/objectstore_types.go. */
export interface IObjectStore {
  apiVersion: 'barmancloud.cnpg.io/v1';
  kind: 'ObjectStore';
  metadata: ObjectMeta;
  spec: { configuration: StoreConfiguration; retentionPolicy?: string };
}

/** github.com/prometheus-operator/prometheus-operator: Documentation/api-reference/api.md, PodMetricsEndpoint. */
export interface IPodMonitor {
  apiVersion: 'monitoring.coreos.com/v1';
  kind: 'PodMonitor';
  metadata: ObjectMeta;
  spec: {
    jobLabel?: string;
    selector: LabelSelector;
    podMetricsEndpoints: {
      port: string;
      path?: string;
      params?: Record<string, string[]>;
      interval?: string;
      scheme?: 'http' | 'https';
      authorization?: { credentials: ISecretKeySelector };
      tlsConfig?: { ca: { secret: ISecretKeySelector }; serverName: string };
      relabelings?: { targetLabel: string; replacement: string }[];
    }[];
  };
}

/** The same page, PrometheusRule, RuleGroup and Rule. */
export interface IPrometheusRule {
  apiVersion: 'monitoring.coreos.com/v1';
  kind: 'PrometheusRule';
  metadata: ObjectMeta;
  spec: {
    groups: {
      name: string;
      rules: { alert: string; expr: string; for: string; labels: Record<string, string>; annotations: Record<string, string> }[];
    }[];
  };
}
