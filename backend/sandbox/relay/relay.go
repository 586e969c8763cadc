// Package relay carries the connections of a confined server to the hosts that it was granted.
//
// The server has a network of its own with nothing but loopback. There each host has an address,
// at which somebody listens for this package; the server looks its name up in a file. What
// connects there is carried to the host, whose name is looked up here, outside.
//
// At port 443, and at every other port where a connection begins as TLS does, the name that the
// server asks for has to be that of the host: many hosts share an address, and the name alone
// tells them apart. What is said in plain text is passed on as it is. A name in a first request
// there could be compared, but the next request on the same connection can name another.
package relay

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"fairlead/backend/publicnet"
)

const (
	// mostConnections is how many a server may have at a time.
	mostConnections = 64
	// idleTime ends a connection on which nothing is said any more.
	idleTime = 10 * time.Minute
	// helloTime is how long the first words of TLS may take, and dialTime how long the host.
	helloTime = 10 * time.Second
	dialTime  = 30 * time.Second
)

// errTooMany reports that a connection was closed at once.
var errTooMany = fmt.Errorf("it has %d connections already", mostConnections)

// Options say how hosts are reached.
type Options struct {
	// Dial connects to a host by its name and port. What it connects to has to be the host; nil
	// looks the name up and takes addresses of the public internet alone. With a proxy of the
	// user's, which looks the name up, it is that.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Refused is told, from any goroutine, why a connection was not carried; may be nil.
	Refused func(host publicnet.Host, reason error)
}

// Relay carries connections until it is closed.
type Relay struct {
	options Options
	idle    time.Duration
	// ctx ends with the relay.
	ctx    context.Context
	cancel context.CancelFunc
	// places are taken by connections.
	places chan struct{}
	all    sync.WaitGroup
}

// New returns a relay that carries nothing yet.
func New(o Options) *Relay {
	if o.Dial == nil {
		o.Dial = new(publicnet.Dialer).DialContext
	}
	if o.Refused == nil {
		o.Refused = func(publicnet.Host, error) {}
	}
	r := &Relay{options: o, idle: idleTime, places: make(chan struct{}, mostConnections)}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	return r
}

// Serve carries what connects to the listener to the host, until the relay is closed, which closes
// the listener.
func (r *Relay) Serve(host publicnet.Host, listener net.Listener) {
	stop := context.AfterFunc(r.ctx, func() { listener.Close() })
	r.all.Go(func() {
		defer stop()
		defer listener.Close()
		for {
			inside, err := listener.Accept()
			if err != nil {
				return
			}
			select {
			case r.places <- struct{}{}:
				r.all.Go(func() {
					defer func() { <-r.places }()
					if err := r.carry(host, inside); err != nil {
						r.options.Refused(host, err)
					}
				})
			default:
				inside.Close()
				r.options.Refused(host, errTooMany)
			}
		}
	})
}

// Close ends all connections and waits for that.
func (r *Relay) Close() {
	r.cancel()
	r.all.Wait()
}

// carry carries one connection. The error is why it was not carried.
func (r *Relay) carry(host publicnet.Host, inside net.Conn) error {
	defer closeWith(r.ctx, inside)()
	c := &connection{idle: r.idle, inside: inside}
	c.touch()
	if host.Port == securePort {
		if err := c.checkHello(r.ctx, host.Name, nil); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(r.ctx, dialTime)
	outside, err := r.options.Dial(ctx, "tcp", host.String())
	cancel()
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer closeWith(r.ctx, outside)()
	c.outside = outside
	var refused error
	var both sync.WaitGroup
	both.Go(func() {
		if host.Port != securePort {
			refused = c.checkFirst(r.ctx, host.Name)
		}
		if refused != nil {
			c.close()
			return
		}
		c.copyTo(outside, inside, c.prefix)
	})
	both.Go(func() { c.copyTo(inside, outside, nil) })
	both.Wait()
	return refused
}

// closeWith closes a connection with the context, or when what it returns is called.
func closeWith(ctx context.Context, conn net.Conn) func() {
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	return func() {
		stop()
		conn.Close()
	}
}

// isTimeout reports whether a connection ended because its time was over.
func isTimeout(err error) bool {
	failed, ok := errors.AsType[net.Error](err)
	return ok && failed.Timeout()
}
