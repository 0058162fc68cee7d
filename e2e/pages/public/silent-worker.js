addEventListener("connect", (event) => event.ports[0].start());
