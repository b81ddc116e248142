#!/usr/bin/env bash
# Applies both overlays to the current cluster, an empty one such as `kind create cluster` makes, with the operators of docs/operations-cluster.md at
# the versions below. The production overlay is only checked by the API server, as it needs machines that a test has not; the small one is started, and
# plays a game. Needs kubectl, Node 24 and the image registry.example.org/maw:0.1.0 on the nodes (`kind load docker-image`).
set -euo pipefail
cd "$(dirname "$0")/../.."

CERT_MANAGER=1.18.2
CNPG=1.27.0
BARMAN=0.6.0
RABBITMQ_OPERATOR=2.16.0
KEDA=2.17.2
PROMETHEUS_OPERATOR=0.85.0
GATEWAY_API=1.3.0
releases=https://github.com

note() { echo "verify-on-kind: $*" >&2; }
install() { note "$1"; kubectl apply --server-side -f "$2"; }

install cert-manager "$releases/cert-manager/cert-manager/releases/download/v$CERT_MANAGER/cert-manager.yaml"
install 'CloudNativePG' "$releases/cloudnative-pg/cloudnative-pg/releases/download/v$CNPG/cnpg-$CNPG.yaml"
install 'the RabbitMQ cluster operator' "$releases/rabbitmq/cluster-operator/releases/download/v$RABBITMQ_OPERATOR/cluster-operator.yml"
install KEDA "$releases/kedacore/keda/releases/download/v$KEDA/keda-$KEDA.yaml"
install 'the Prometheus operator' "$releases/prometheus-operator/prometheus-operator/releases/download/v$PROMETHEUS_OPERATOR/bundle.yaml"
install 'the Gateway API' "$releases/kubernetes-sigs/gateway-api/releases/download/v$GATEWAY_API/standard-install.yaml"
for namespace in cert-manager cnpg-system rabbitmq-system keda; do
  kubectl -n "$namespace" wait --for=condition=available deployment --all --timeout=10m
done
install 'the Barman Cloud plugin' "$releases/cloudnative-pg/plugin-barman-cloud/releases/download/v$BARMAN/manifest.yaml"
kubectl -n cnpg-system wait --for=condition=available deployment --all --timeout=10m

kubectl create namespace maw
node infra/k8s/secrets.ts | kubectl create -f -
note 'the production overlay, checked by the API server'
kubectl apply -k infra/k8s/overlays/production --dry-run=server --validate=strict
note 'the cluster that the restore test makes of that of the overlay, checked by the API server'
live=$(mktemp)
kubectl apply -k infra/k8s/overlays/production --dry-run=server -o json | node -e '
  const { items } = JSON.parse(fs.readFileSync(0, "utf8"));
  process.stdout.write(JSON.stringify(items.find(({ kind }) => kind === "Cluster")));
' >"$live"
kubectl patch --local -f "$live" --type merge --patch-file infra/k8s/components/restore-test/restored.json -o json |
  kubectl -n maw create --dry-run=server --validate=strict -f -

note 'the small overlay'
kubectl apply -k infra/k8s/overlays/small --validate=strict
kubectl -n maw wait --for=condition=complete job/migrate --timeout=15m
for service in gamemaster chatroom player llm-gateway web aiwolf contest; do
  kubectl -n maw rollout status "deployment/$service" --timeout=10m
done

note 'a game'
kubectl -n maw scale deployment/tools --replicas=1
kubectl -n maw wait --for=condition=available deployment/tools --timeout=5m
tool() { kubectl -n maw exec deployment/tools -- node --no-warnings apps/cli/main.ts "$@"; }
tool doctor
MAW_TOKEN=$(kubectl -n maw get secret web -o jsonpath='{.data.admin-token}' | base64 -d)
kubectl -n maw exec deployment/tools -- env MAW_TOKEN="$MAW_TOKEN" node --no-warnings apps/cli/main.ts play --at http://web --minds rules --seconds 5
tool verify --all

note 'applying again changes nothing, and nothing of an older version is left'
kubectl diff -k infra/k8s/overlays/small
kubectl apply -k infra/k8s/overlays/small -l app.kubernetes.io/component=settings --prune --prune-allowlist=core/v1/ConfigMap
note 'all is well'
