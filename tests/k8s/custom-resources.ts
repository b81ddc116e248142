/**
 * Kinds whose definitions are in no package that is installed here: the fields of them that we use, by hand, each with its source. A field that is
 * not here is a fault, and has to be looked up before it is added.
 */
import type { IComGithubCloudnativePgBarmanCloudPkgApiBarmanObjectStoreConfiguration as StoreConfiguration } from '@kubernetes-models/cloudnative-pg/github.com/cloudnative-pg/barman-cloud/pkg/api/BarmanObjectStoreConfiguration';
import type { IIoK8sApimachineryPkgApisMetaV1ObjectMeta as ObjectMeta } from '@kubernetes-models/apimachinery/apis/meta/v1/ObjectMeta';
import type { IAffinity } from 'kubernetes-models/v1/Affinity';
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec';
import type { IResourceRequirements } from 'kubernetes-models/v1/ResourceRequirements';

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
