#!/bin/bash
# build.sh DIR: makes DIR/bin/kube-apiserver, kube-controller-manager and etcd from Debian 12 for `npm run soak -- kubernetes`. About
# 8 minutes of one core. Needs golang-go, dpkg-dev and a deb-src line for apt.
set -eu
mkdir -p "$1/bin" "$1/go/src/k8s.io"
cd "$1"
dir=$PWD
tree=$dir/go/src/k8s.io/kubernetes
export GOPATH=$dir/go GO111MODULE=off GOFLAGS= GOPROXY=off CGO_ENABLED=0 GOCACHE=$dir/cache
[ -d "$tree" ] || { apt-get source --download-only kubernetes && dpkg-source -x kubernetes_*.dsc "$tree"; }
[ -x bin/etcd ] || { apt-get download etcd-server && dpkg -x etcd-server_*.deb etcd && cp etcd/usr/bin/etcd bin/; }
cd "$tree"

# The description of the API is the only generated file that the source package lacks.
description=pkg/generated/openapi
[ -x "$dir/bin/openapi-gen" ] || go build -o "$dir/bin/openapi-gen" k8s.io/kubernetes/vendor/k8s.io/kube-openapi/cmd/openapi-gen
if [ ! -s "$description/zz_generated.openapi.go" ]; then
  sources=$(ls -d pkg cmd staging/src/k8s.io/* | grep -v -e code-generator -e sample-apiserver)
  packages=$(grep -rl --include='*.go' '+k8s:openapi-gen=' $sources | grep -v -e /testdata/ -e _test.go -e zz_generated |
    xargs -n1 dirname | LC_ALL=C sort -u | sed 's,^staging/src/,vendor/,; s,^,k8s.io/kubernetes/,' | paste -sd,)
  "$dir/bin/openapi-gen" --logtostderr -i "$packages" -p "k8s.io/kubernetes/$description" -O zz_generated.openapi \
    -h vendor/k8s.io/code-generator/hack/boilerplate.go.txt -r "$dir/violations.report"
fi

version=k8s.io/kubernetes/vendor/k8s.io/component-base/version
for name in kube-apiserver kube-controller-manager; do
  [ -x "$dir/bin/$name" ] || go build -o "$dir/bin/$name" \
    -ldflags "-s -w -X $version.gitVersion=v1.20.2 -X $version.gitMajor=1 -X $version.gitMinor=20" "k8s.io/kubernetes/cmd/$name"
done
echo "CAPSTAN_TEST_KUBE_APISERVER=$dir/bin/kube-apiserver CAPSTAN_TEST_ETCD=$dir/bin/etcd \\
CAPSTAN_TEST_KUBE_CONTROLLER_MANAGER=$dir/bin/kube-controller-manager npm run soak -- kubernetes"
