// Renders a chart as Helm does: Go's text/template with sprig and the functions that Helm adds. Standard input is a JSON object with
// `chart`, `release`, `values` and `files` (name to template); standard output is one with the rendered files.
//
// GO111MODULE=off GOPATH=/usr/share/gocode, with Debian's golang-github-masterminds-sprig-dev and golang-github-ghodss-yaml-dev.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"github.com/ghodss/yaml"
)

type order struct {
	Chart   map[string]interface{} `json:"chart"`
	Release map[string]interface{} `json:"release"`
	Values  map[string]interface{} `json:"values"`
	Files   map[string]string      `json:"files"`
}

func main() {
	var in order
	check(json.NewDecoder(os.Stdin).Decode(&in))
	set := template.New("chart").Option("missingkey=zero")
	funcs := sprig.TxtFuncMap()
	delete(funcs, "env")
	delete(funcs, "expandenv")
	funcs["toYaml"] = func(value interface{}) string {
		text, err := yaml.Marshal(value)
		if err != nil {
			return ""
		}
		return strings.TrimSuffix(string(text), "\n")
	}
	funcs["include"] = func(name string, data interface{}) (string, error) {
		var out bytes.Buffer
		err := set.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	funcs["required"] = func(warn string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return value, fmt.Errorf("%s", warn)
		}
		return value, nil
	}
	set.Funcs(funcs)
	for name, text := range in.Files {
		_, err := set.New(name).Parse(text)
		check(err)
	}
	rendered := map[string]string{}
	for name := range in.Files {
		if strings.HasPrefix(path.Base(name), "_") {
			continue
		}
		var out bytes.Buffer
		check(set.ExecuteTemplate(&out, name, map[string]interface{}{
			"Chart": in.Chart, "Release": in.Release, "Values": in.Values,
		}))
		rendered[name] = strings.ReplaceAll(out.String(), "<no value>", "")
	}
	check(json.NewEncoder(os.Stdout).Encode(rendered))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
