//go:build linux

package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

// fetch prints what is at a URL, where a certificate in PEM is trusted.
func fetch(arguments []string) error {
	trusted := x509.NewCertPool()
	if !trusted.AppendCertsFromPEM([]byte(arguments[1])) {
		return fmt.Errorf("%w: there is no certificate", errUsage)
	}
	client := http.Client{
		Timeout:   20 * time.Second,
		Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12}},
	}
	answer, err := client.Get(arguments[0]) //nolint:gosec // to call whom it is told is the attack
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, err = io.Copy(os.Stdout, answer.Body)
	return err
}
