// Has axe look at a page. The body of an asynchronous script of WebDriver's.
//
// axe spends more time on contrast than on all other rules together, most of it on text that looks
// like text it has judged: rows of a table, the header of every page. It is given one element of
// each look that it has not judged yet. A look is all that contrast depends on: the chain of
// elements from the root, each with its tag, classes, colours, backgrounds and font, and what is
// positioned over or under the text.
const [rules, leftOut, known, done] = arguments;

const STYLES = [
    "color", "-webkit-text-fill-color", "background-color", "background-image", "opacity",
    "font-size", "font-weight", "text-shadow", "filter", "mix-blend-mode", "position",
];
const MARK = "data-judge-contrast";
// Why axe cannot tell the contrast, where the look alone is the reason.
const UNKNOWABLE = ["bgGradient", "bgImage", "imgNode"];

// FNV-1a in two halves: 64 bits of a string.
const hash = text => {
    let [one, other] = [0x811c9dc5, 0xcbf29ce4];
    for (let at = 0; at < text.length; at += 1) {
        one = Math.imul(one ^ text.charCodeAt(at), 0x01000193);
        other = Math.imul(other ^ text.charCodeAt(at), 0x85ebca6b);
    }
    return (one >>> 0).toString(36) + (other >>> 0).toString(36);
};

const chains = new Map();
const positioned = [];

const chainOf = element => {
    if (element === null) {
        return "";
    }
    let chain = chains.get(element);
    if (chain === undefined) {
        const style = getComputedStyle(element);
        const own = STYLES.map(name => style.getPropertyValue(name));
        const classes = [...element.classList].sort();
        const parts = [element.localName, ...classes, ...own];
        chain = hash(`${chainOf(element.parentElement)} ${parts.join(";")}`);
        chains.set(element, chain);
        if (style.position !== "static") {
            positioned.push([element, element.getBoundingClientRect()]);
        }
    }
    return chain;
};

const overlap = (one, other) => one.left < other.right && other.left < one.right
    && one.top < other.bottom && other.top < one.bottom;

// What is over or under an element, neither around it nor in it.
const layersOf = element => {
    const place = element.getBoundingClientRect();
    const layers = positioned.filter(([other, area]) => overlap(place, area)
        && !other.contains(element) && !element.contains(other));
    return [...new Set(layers.map(([other]) => chains.get(other)))].sort();
};

// The text of an element itself, without that of the elements in it.
const ownText = element => [...element.childNodes]
    .filter(node => node.nodeType === Node.TEXT_NODE).map(node => node.data.trim()).join(" ");
const isField = element => element.matches("input, select, textarea");

// Elements with text, by those of their looks that are not known.
const newLooks = () => {
    const elements = [...document.body.querySelectorAll("*")];
    elements.forEach(chainOf);
    const isIn = element => leftOut.length === 0 || !element.closest(leftOut.join());
    const old = new Set(known);
    const looks = new Map();
    for (const element of elements.filter(one => isField(one) || ownText(one).trim()).filter(isIn)) {
        const look = [chainOf(element), ...layersOf(element)].join(" ");
        if (!old.has(look)) {
            looks.set(look, [...looks.get(look) ?? [], element]);
        }
    }
    return looks;
};

const isShown = element => {
    const {width, height} = element.getBoundingClientRect();
    return (width > 1 || height > 1) && !element.closest("details:not([open]) > :not(summary)")
        && element.checkVisibility({opacityProperty: true, visibilityProperty: true});
};

// axe judges no text of one character, and no signs alone.
const isLegible = element => isField(element)
    || /[\p{L}\p{N}].*[\p{L}\p{N}]/su.test(ownText(element));
const byLegibility = (one, other) => isLegible(other) - isLegible(one);

// What stays at the window's edge covers a target only until the reader scrolls.
const covers = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
const staysInPlace = element => ["sticky", "fixed"].includes(getComputedStyle(element).position);
const isBelowBar = element => [...document.body.querySelectorAll("*")].some(bar =>
    staysInPlace(bar) && !bar.contains(element)
        && covers(bar.getBoundingClientRect(), element.getBoundingClientRect()));

const violationsOf = result => {
    const {help} = axe.getRules().find(rule => rule.ruleId === result.id);
    const isFault = ({node}) => result.id !== "target-size" || !isBelowBar(node.element);
    return result.violations.filter(isFault).slice(0, 3).map(({node}) => {
        const source = node.element.outerHTML.replaceAll(` ${MARK}=""`, "").slice(0, 120);
        return `${result.id}: ${help}: ${node.selector} ${source}`;
    });
};

// Elements about whose looks there is nothing more to find out.
const settledElements = ({passes, incomplete}) => [
    ...passes, ...incomplete.filter(({any}) => UNKNOWABLE.includes(any[0]?.data?.messageKey)),
].map(({node}) => node.element);

const report = (results, _, callback) => callback({
    violations: results.flatMap(violationsOf),
    settled: results.filter(({id}) => id === "color-contrast").flatMap(settledElements),
});

const judge = async (runOnly, elements) => {
    elements.forEach(element => element.setAttribute(MARK, ""));
    const context = {include: ["html"], exclude: leftOut};
    const found = await axe.run(context, {runOnly, reporter: "looks", preload: false});
    elements.forEach(element => element.removeAttribute(MARK));
    return found;
};

const look = async () => {
    axe.addReporter("looks", report);
    axe.configure({noHtml: true, rules: [{id: "color-contrast", selector: `[${MARK}]`}]});
    const looks = newLooks();
    const [firsts, others] = [[], new Map()];
    for (const [name, elements] of looks) {
        const [first, ...rest] = elements.filter(isShown).sort(byLegibility);
        firsts.push(...elements.filter(element => element === first || !isShown(element)));
        others.set(name, rest.filter(isLegible));
    }
    const names = new Map([...looks].flatMap(([name, all]) => all.map(one => [one, name])));
    const {violations, settled} = await judge(rules, firsts);
    const sound = new Set(settled.map(element => names.get(element)));

    // What axe cannot tell of one element, it may of another.
    const left = [...others].flatMap(([name, elements]) => sound.has(name) ? [] : elements);
    if (left.length > 0) {
        const more = await judge({type: "rule", values: ["color-contrast"]}, left);
        violations.push(...more.violations);
        more.settled.forEach(element => sound.add(names.get(element)));
    }
    return {violations, looks: [...sound]};
};

look().then(done, error => done({error: String(error.stack ?? error)}));
