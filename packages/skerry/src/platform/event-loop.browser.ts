// Turns of the event loop in a browser.

/** Resolves after the event loop has had a turn; a timer would wait 4 ms. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
}
