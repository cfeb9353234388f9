// Finishes the generated site: copies the page of tools, makes links in HTML and Markdown relative, writes llms.txt, and
// checks every link and picture.

import { cp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join, posix, relative } from "node:path";
import { summaryOf, titleOf } from "./markdown.mjs";

/** Finishes the site in `out`. Resolves to the number of pages, and sentences about faults. */
export async function finishSite({ root, out, documents }) {
  await cp(join(root, "packages/lab/dist"), join(out, "lab"), { recursive: true });
  const files = (await readdir(out, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(out, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
  const pages = files.filter((name) => name.endsWith(".html") && !name.startsWith("lab/"));
  for (const page of pages) {
    const up = "../".repeat(page.split("/").length - 1);
    const html = await readFile(join(out, page), "utf8");
    await writeFile(join(out, page), finished(html, up));
  }
  for (const name of files.filter((each) => each.endsWith(".md"))) {
    await writeFile(join(out, name), linked(await readFile(join(out, name), "utf8"), name, files));
  }
  await writeList(root, out, documents);
  return { pages: pages.length, faults: await faultsOf(out, pages) };
}

/**
 * Adds to a page the links that the generator does not resolve (in raw HTML, around pictures, to the tools), and names of
 * landmarks. Headings skip no level.
 */
function finished(html, up) {
  return (
    levelled(html)
      .replaceAll("https://site.invalid/", up)
      .replaceAll(/href="(?:[^":]*\/)?docs\/(?:how-to\/|develop\/)?([\w-]+)\.md(#[^"]*)?"/g, (_, name, place = "") => {
        return `href="${up}documents/${name}.html${place}"`;
      })
      .replace('<div class="col-content">', '<div class="col-content" role="main">')
      .replace('<nav id="tsd-sidebar-links"', '<nav id="tsd-sidebar-links" aria-label="Elsewhere"')
      .replace('<div class="page-menu">', '<div class="page-menu" role="navigation" aria-label="On this page">')
      // Wide tables scroll; with the focus, keys can scroll them, too.
      .replaceAll("<table>", '<table tabindex="0">')
      .replaceAll('<nav class="tsd-navigation">', '<nav class="tsd-navigation" aria-label="Pages">')
      .replaceAll(/<summary\b[\s\S]*?<\/summary>/g, (summary) =>
        summary.replaceAll(/<a href="#[^"]*" aria-label="Permalink"[\s\S]*?<\/a>/g, ""),
      )
  );
}

/** Markdown with links to README and pages of docs/ changed to the site's files. Links to other sources become text. */
function linked(markdown, name, files) {
  const up = "../".repeat(name.split("/").length - 1);
  return markdown.replaceAll(/(?<!!)\[((?:[^[\]]|!\[[^\]]*\]\([^)]*\))*)\]\(([^)\s]+)\)/g, (whole, text, link) => {
    if (/^(https?:|mailto:|#)/.test(link)) return whole;
    const [path, place] = link.split("#");
    const target = posix.join(posix.dirname(name), path);
    if (files.includes(target)) return whole;
    const anchor = place === undefined ? "" : `#${place}`;
    if (/(^|\/)README\.md$/.test(path)) return `[${text}](${up}index.md${anchor})`;
    const page = `documents/${posix.basename(path)}`;
    return files.includes(page) ? `[${text}](${up}${page}${anchor})` : text;
  });
}

/** Lowers headings to at most one level below the previous one; `data-size` keeps the original level. */
function levelled(html) {
  let last = 0;
  let shift = 0;
  return html.replaceAll(/<(\/?)h([1-6])\b/g, (_, closing, digit) => {
    const level = Number(digit);
    if (closing) return `</h${level - shift}`;
    shift = Math.max(0, level - last - 1);
    last = level - shift;
    return shift > 0 ? `<h${last} data-size="${level}"` : `<h${last}`;
  });
}

/** Writes llms.txt, a list of all pages as Markdown, for programs. */
async function writeList(root, out, documents) {
  const lines = ["# skerry", ""];
  const readme = await readFile(join(root, "README.md"), "utf8");
  lines.push(`> ${summaryOf(readme)}`, "", "## Pages", "");
  for (const [file, page] of documents) {
    const text = await readFile(file, "utf8");
    const to = page.replace(/\.html$/, ".md");
    lines.push(`- [${titleOf(text)}](${to}): ${summaryOf(text)}`);
  }
  lines.push("", "## Reference", "");
  for (const folder of ["modules", "classes", "functions", "interfaces", "types", "variables"]) {
    for (const name of (await readdir(join(out, folder)).catch(() => []))
      .filter((file) => file.endsWith(".md"))
      .sort()) {
      const text = await readFile(join(out, folder, name), "utf8");
      lines.push(`- [${titleOf(text) ?? name}](${folder}/${name})`);
    }
  }
  await writeFile(join(out, "llms.txt"), `${lines.join("\n")}\n`);
}

/** Finds dead links, missing anchors, and pictures without alternative text. */
async function faultsOf(out, pages) {
  const faults = [];
  const texts = new Map();
  const read = async (name) => {
    if (!texts.has(name)) texts.set(name, await readFile(join(out, name), "utf8").catch(() => undefined));
    return texts.get(name);
  };
  for (const page of pages) {
    const html = (await read(page)).replaceAll(/<script[\s\S]*?<\/script>/g, "");
    for (const [tag] of html.matchAll(/<img\b[^>]*>/g)) {
      if (!/\balt="[^"]+"/.test(tag)) faults.push(`${page}: a picture without an alternative: ${tag}`);
    }
    for (const [, link] of html.matchAll(/\b(?:href|src)="([^"]*)"/g)) {
      if (/^(https?:|mailto:|data:)/.test(link) || link === "" || link === "#") continue;
      const [path, anchor] = link.replaceAll("&amp;", "&").split("#");
      const target = path === "" ? page : posix.join(posix.dirname(page), decodeURIComponent(path.split("?")[0]));
      const found = await stat(join(out, target)).catch(() => undefined);
      if (!found || target.startsWith("..")) faults.push(`${page}: ${link} leads nowhere`);
      else if (anchor && target.endsWith(".html") && !target.startsWith("lab/")) {
        const there = (await read(target)).includes(`id="${decodeURIComponent(anchor)}"`);
        if (!there) faults.push(`${page}: ${link} has no such place`);
      }
    }
  }
  return faults;
}
