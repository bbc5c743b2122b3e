/** What the operator sets for boxes. */

export type RuntimeName = 'auto' | 'bwrap' | 'podman' | 'docker' | 'kubernetes' | 'off';

/** The driver that the operator chose. */
export interface BoxDriverConfig {
  runtime: RuntimeName;
  /** The OCI runtime of the container engine; null for the engine's own choice. */
  container_runtime: string | null;
  /** Path of the engine's socket; null for its own choice. */
  container_socket: string | null;
  kubernetes_image: string | null;
  kubernetes_empty_image: string | null;
  kubernetes_claim: string | null;
  kubernetes_runtime_class: string | null;
  kubernetes_namespace: string | null;
  kubernetes_api: string | null;
  kubernetes_gate_port: number;
  pod_name: string | null;
  pod_uid: string | null;
  pod_ip: string | null;
}
