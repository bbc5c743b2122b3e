{{- define "capstan.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 53 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 53 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "capstan.selectorLabels" -}}
app.kubernetes.io/name: capstan
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* Not `managed-by: capstan`, which the Pods of packages have. */}}
{{- define "capstan.labels" -}}
{{ include "capstan.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "capstan.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "capstan.fullname" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end -}}

{{- define "capstan.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{- define "capstan.boxesClaim" -}}
{{- .Values.persistence.boxes.existingClaim | default (printf "%s-boxes" (include "capstan.fullname" .)) -}}
{{- end -}}

{{- define "capstan.dataClaim" -}}
{{- .Values.persistence.data.existingClaim | default (printf "%s-data" (include "capstan.fullname" .)) -}}
{{- end -}}

{{- define "capstan.isolation" -}}
{{- if .Values.runtime.minimum -}}
{{- .Values.runtime.minimum -}}
{{- else if eq .Values.runtime.mode "kubernetes" -}}
kubernetes
{{- else -}}
bwrap+seccomp
{{- end -}}
{{- end -}}

{{/* Combinations that would start and then lose data or fail. */}}
{{- define "capstan.check" -}}
{{- if not .Values.publicUrl -}}
{{- fail "publicUrl is required: the address under which others reach the service." -}}
{{- end -}}
{{- if eq .Values.database.engine "sqlite" -}}
{{- if gt (int .Values.replicas) 1 -}}
{{- fail "database.engine=sqlite works with one replica: set replicas=1, or use postgres." -}}
{{- end -}}
{{- if not .Values.persistence.data.enabled -}}
{{- fail "database.engine=sqlite is a file in DATA_DIR: set persistence.data.enabled=true." -}}
{{- end -}}
{{- end -}}
{{- if and .Values.persistence.data.enabled (gt (int .Values.replicas) 1) -}}
{{- fail "persistence.data belongs to one replica: set replicas=1, or persistence.data.enabled=false." -}}
{{- end -}}
{{- end -}}
