// A summary that opens a list must not hold a link: the link moves beside it, and the summary takes its name.
const move = () => {
  for (const link of document.querySelectorAll("details.tsd-accordion > summary > a")) {
    const summary = link.parentElement;
    summary.setAttribute("aria-label", `Contents of ${link.textContent}`);
    link.classList.add("beside");
    summary.after(link);
  }
};
new MutationObserver(move).observe(document.documentElement, { childList: true, subtree: true });
move();
